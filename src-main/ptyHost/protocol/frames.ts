/** Lengths of the whole frame and of its header, as unsigned 32-bit little-endian numbers. */
const PREFIX_BYTES = 8;
/** More than any valid frame: a chunk of output is at most 256 KiB, the environment of a shell at most 2 MiB. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** A message of the protocol: a JSON header, then bytes. */
export interface Frame {
  readonly header: unknown;
  /** A view of the received data; copy it to keep it. */
  readonly bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);

export function encodeFrame(header: object, bytes: Uint8Array = NO_BYTES): Buffer {
  const head = Buffer.from(JSON.stringify(header), 'utf8');
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + head.length + bytes.length);
  frame.writeUInt32LE(head.length + bytes.length, 0);
  frame.writeUInt32LE(head.length, 4);
  frame.set(head, PREFIX_BYTES);
  frame.set(bytes, PREFIX_BYTES + head.length);
  return frame;
}

/** Cuts a stream into frames, regardless of its chunks. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);
  #pieces: Buffer[] = [];
  #length = 0;
  /** A longer frame does not belong to this protocol. */
  maxBytes: number;

  constructor(maxBytes: number = MAX_FRAME_BYTES) {
    this.maxBytes = maxBytes;
  }

  /** Returns the frames that are complete now. Throws if the stream is not of this protocol; the connection must be closed then. */
  push(chunk: Buffer): Frame[] {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#needed()) return [];
    this.#join();
    const frames: Frame[] = [];
    let at = 0;
    for (
      let end = this.#endOf(this.#rest, at);
      end !== null && end <= this.#rest.length;
      end = this.#endOf(this.#rest, at)
    ) {
      frames.push(readFrame(this.#rest.subarray(at, end)));
      at = end;
    }
    this.#rest = this.#rest.subarray(at);
    this.#length = this.#rest.length;
    this.#pieces = this.#rest.length > 0 ? [this.#rest] : [];
    return frames;
  }

  /** Number of bytes required for the next frame. */
  #needed(): number {
    if (this.#length >= PREFIX_BYTES && (this.#pieces[0]?.length ?? 0) < PREFIX_BYTES) this.#join();
    const [first] = this.#pieces;
    return (first && this.#endOf(first, 0)) ?? PREFIX_BYTES;
  }

  #join(): void {
    this.#rest = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    this.#pieces = [this.#rest];
  }

  /** End of the frame at `at`; null while its prefix is incomplete. */
  #endOf(data: Buffer, at: number): number | null {
    if (data.length - at < PREFIX_BYTES) return null;
    const length = data.readUInt32LE(at);
    if (length > this.maxBytes) throw new Error(`a frame of ${length} bytes is not of this protocol`);
    return at + PREFIX_BYTES + length;
  }
}

function readFrame(frame: Buffer): Frame {
  const headLength = frame.readUInt32LE(4);
  if (PREFIX_BYTES + headLength > frame.length) throw new Error('the header of a frame is longer than the frame');
  const header: unknown = JSON.parse(frame.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + headLength));
  return { header, bytes: frame.subarray(PREFIX_BYTES + headLength) };
}
