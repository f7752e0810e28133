import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { IDisposable } from '../util/Disposables.ts';
import type { FromPng, PngStart, ToPng } from './pngProtocol.ts';

/** Time after which an idle worker ends, because it holds the renderer's memory of about 100 MB. */
const KEEP_MS = 30_000;
/** Time limit of a picture. The largest took 5 s on two busy cores, and several may wait for each other. */
const LIMIT_MS = 50_000;
/** V8's heap; the renderer's memory is separate and bounded by the size of the largest picture. */
const MAX_HEAP_MB = 256;

export interface PainterDeps {
  readonly workerUrl: URL;
  /** Files for the worker; read when the first picture is made. */
  readFiles(): Promise<PngStart>;
}

/**
 * The renderer is WebAssembly in a thread of the process that holds the terminals. V8 13.6 may free a piece of its code twice, which ends
 * the process ("Check failed: jit_page.has_value()", nodejs/node#64500; seen here with other WebAssembly in short-lived threads). This flag
 * keeps the code until its thread ends: a few hundred kilobytes.
 */
const WASM_KEPT = '--no-wasm-code-gc';

interface Waiting {
  resolve(png: Uint8Array): void;
  reject(error: Error): void;
}

/** Makes PNGs in a worker thread, which starts with the first picture and ends after half a minute without one. */
export class PngPainter implements IDisposable {
  readonly #deps: PainterDeps;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Promise<Worker> | null = null;
  #idle: NodeJS.Timeout | null = null;
  #calls = 0;

  constructor(deps: PainterDeps) {
    this.#deps = deps;
  }

  /** Rejects if the picture cannot be made, or takes too long. */
  async paint(svg: string): Promise<Uint8Array> {
    if (this.#idle) clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#calls += 1;
    const call = this.#calls;
    const painted = new Promise<Uint8Array>((resolve, reject) => this.#waiting.set(call, { resolve, reject }));
    const limit = setTimeout(() => this.#end(new Error('the picture took too long')), LIMIT_MS);
    try {
      const worker = await Promise.race([this.#worker, painted.then(() => null)]);
      worker?.postMessage({ call, svg } satisfies ToPng);
      return await painted;
    } catch (error) {
      if (this.#waiting.has(call)) this.#worker = null; // the worker did not start: the next picture tries again
      throw error;
    } finally {
      clearTimeout(limit);
      this.#waiting.delete(call);
      if (this.#waiting.size === 0) this.#restSoon();
    }
  }

  dispose(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#end(new Error('it is closed'));
  }

  async #start(): Promise<Worker> {
    const workerData = await this.#deps.readFiles();
    setFlagsFromString(WASM_KEPT);
    const worker = new Worker(this.#deps.workerUrl, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref(); // a caller that waits for a picture keeps the process running
    worker.on('message', (message: FromPng) => {
      const waiting = this.#waiting.get(message.call);
      if ('png' in message) waiting?.resolve(message.png);
      else waiting?.reject(new Error(message.problem));
    });
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    return worker;
  }

  /** Ends the worker; the next picture starts another. */
  #end(error: Error): void {
    const worker = this.#worker;
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    void worker?.then(
      (ended) => ended.terminate(),
      () => undefined, // the worker never started, and the callers have their error
    );
  }

  #restSoon(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(new Error('it rests')), KEEP_MS);
    this.#idle.unref();
  }
}
