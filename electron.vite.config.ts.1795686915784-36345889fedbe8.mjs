import "node:module";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "electron-vite";
import { build } from "vite";
// electron.vite.config.ts
const at = (path) => resolve(import.meta.dirname, path);
/**
* mcpCatalog.json: what a bridge tells its client while the app is down. Written down here, because to make it takes every tool and the schema
* library, five times as long as all the rest of a bridge's start.
*/
const mcpCatalog = {
	name: "mcp-catalog",
	async generateBundle() {
		const { catalogs } = await import(pathToFileURL(at("src-main/mcp/server/catalog.ts")).href);
		this.emitFile({
			type: "asset",
			fileName: "mcpCatalog.json",
			source: `${JSON.stringify(catalogs(""))}\n`
		});
	}
};
/** Made from the commands themselves: the list for the general help, and for packages to install the man page and the completion scripts. */
const commandFiles = {
	name: "command-files",
	async generateBundle() {
		const load = (path) => import(pathToFileURL(at(path)).href);
		const { buildProgram, listCommands } = await load("src-main/cli/program.ts");
		const { manPage } = await load("src-main/cli/completions/manPage.ts");
		const { COMPLETIONS } = await load("src-main/cli/commands/maintain/completions.ts");
		const { commandTree } = await load("src-main/cli/completions/commandTree.ts");
		const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
		const program = await buildProgram(version);
		this.emitFile({
			type: "asset",
			fileName: "commands.json",
			source: `${JSON.stringify(listCommands(program))}\n`
		});
		this.emitFile({
			type: "asset",
			fileName: "man/hansard.1",
			source: manPage(program, version)
		});
		for (const { fileName, format } of Object.values(COMPLETIONS)) this.emitFile({
			type: "asset",
			fileName: `completions/${fileName}`,
			source: format(commandTree(program))
		});
	}
};
/** Of a face's two formats the one that every browser reads: the page holds its faces itself. */
const oneFontFormat = {
	name: "one-font-format",
	enforce: "pre",
	transform: (code, id) => /@fontsource.*\.css$/.test(id) ? code.replace(/,\s*url\([^)]*\.woff\) format\((["'])woff\1\)/g, "") : void 0
};
/** replay.html: a page that holds its script, its style and its faces, and into which a recording is put when it is exported. */
const replayPage = {
	name: "replay-page",
	async generateBundle() {
		const files = [await build({
			configFile: false,
			logLevel: "warn",
			root: at("src-renderer"),
			plugins: [svelte({ configFile: false }), oneFontFormat],
			build: {
				write: false,
				target: "es2024",
				minify: true,
				cssCodeSplit: false,
				assetsInlineLimit: 1e6,
				rollupOptions: {
					input: at("src-renderer/replay/page.ts"),
					output: { format: "iife" }
				}
			}
		})].flat().flatMap((one) => "output" in one ? one.output : []);
		const script = files.find((file) => file.type === "chunk")?.code;
		const style = files.find(({ fileName }) => fileName.endsWith(".css"));
		if (script === void 0 || style?.type !== "asset") throw new Error("The replay page has no script or no style.");
		const { replayPageOf } = await import(pathToFileURL(at("resources/dev/replayPage.mjs")).href);
		this.emitFile({
			type: "asset",
			fileName: "replay.html",
			source: replayPageOf(script, String(style.source))
		});
	}
};
/**
* quick.js: the command line's door, in one file with the commands that are called often, so that their start costs little more than Node's.
* What else it may need has a file of its own in the main bundle.
*/
const quickStart = {
	name: "quick-start",
	async generateBundle() {
		const own = /* @__PURE__ */ new Map([[at("src-main/cli/main.ts"), "./cli.js"], [at("src-main/hosts/web/connectCore.ts"), "./connectCore.js"]]);
		const [chunk, ...more] = [await build({
			configFile: false,
			logLevel: "warn",
			root: at("."),
			plugins: [{
				name: "elsewhere",
				enforce: "pre",
				async resolveId(source, importer) {
					const found = importer && source.startsWith(".") ? resolve(dirname(importer), source) : "";
					const id = own.get(found);
					return id && {
						id,
						external: true
					};
				}
			}],
			ssr: { noExternal: true },
			build: {
				write: false,
				ssr: at("src-main/cli/quick.ts"),
				target: "node22",
				minify: true,
				rollupOptions: { output: {
					format: "es",
					codeSplitting: false
				} }
			}
		})].flat().flatMap((one) => "output" in one ? one.output : []).filter((file) => file.type === "chunk");
		if (!chunk || more.length > 0) throw new Error("The start of the command line is not one file.");
		this.emitFile({
			type: "asset",
			fileName: "quick.js",
			source: chunk.code
		});
	}
};
/** What completion knows of commands, with its licence: data alone, one file a command, read when it is first needed (ADR 11). */
const completionData = {
	name: "completion-data",
	async generateBundle() {
		const { completionSpecs } = await import(pathToFileURL(at("resources/dev/completionSpecs.ts")).href);
		for (const [name, source] of await completionSpecs()) this.emitFile({
			type: "asset",
			fileName: `specs/${name}`,
			source
		});
	}
};
/** With each bundle, the licences of the packages that went into it. */
const license = { fileName: "third-party-licenses.md" };
/**
* Three bundles: the core with its fronts and its workers (ESM; every package that is not in `dependencies` goes into it, see ADR 1), the
* preload (one CommonJS file, as a sandbox demands), the window.
*/
var electron_vite_config_default = defineConfig({
	main: {
		plugins: [
			mcpCatalog,
			commandFiles,
			completionData,
			quickStart
		],
		build: {
			outDir: "out/main",
			target: "node22",
			license,
			minify: false,
			sourcemap: true,
			rollupOptions: {
				checks: { pluginTimings: false },
				input: {
					electron: at("src-main/hosts/electron/main.ts"),
					cli: at("src-main/cli/main.ts"),
					connectCore: at("src-main/hosts/web/connectCore.ts"),
					mcpBridge: at("src-main/cli/mcp/mcpBridge.ts"),
					ptyHost: at("src-main/ptyHost/host/main.ts"),
					screenWorker: at("src-main/terminal/screen/screenWorker.ts"),
					pngWorker: at("src-main/picture/pngWorker.ts"),
					searchWorker: at("src-main/search/searchWorker.ts"),
					pastWorker: at("src-main/past/pastWorker.ts")
				},
				output: {
					format: "es",
					entryFileNames: "[name].js",
					chunkFileNames: "chunks/[name]-[hash].js"
				}
			}
		}
	},
	preload: { build: {
		outDir: "out/preload",
		externalizeDeps: false,
		rollupOptions: {
			checks: { pluginTimings: false },
			input: { preload: at("src-preload/preload.ts") },
			external: ["electron"],
			output: {
				format: "cjs",
				entryFileNames: "[name].cjs"
			}
		}
	} },
	renderer: {
		root: at("src-renderer"),
		plugins: [svelte({ configFile: false }), replayPage],
		build: {
			outDir: at("out/renderer"),
			license,
			target: "es2024",
			minify: true,
			assetsInlineLimit: 0,
			chunkSizeWarningLimit: 2e3,
			rollupOptions: {
				input: { index: at("src-renderer/index.html") },
				checks: { pluginTimings: false }
			}
		}
	}
});
export { electron_vite_config_default as default };

//# sourceMappingURL=data:application/json;charset=utf-8;base64,eyJ2ZXJzaW9uIjozLCJmaWxlIjoiZWxlY3Ryb24udml0ZS5jb25maWcuanMiLCJuYW1lcyI6W10sInNvdXJjZXMiOlsiL3dvcmsvdC9oL3dpbmcvZWxlY3Ryb24udml0ZS5jb25maWcudHMiXSwic291cmNlc0NvbnRlbnQiOlsiaW1wb3J0IHsgcmVhZEZpbGVTeW5jIH0gZnJvbSAnbm9kZTpmcyc7XG5pbXBvcnQgeyBkaXJuYW1lLCByZXNvbHZlIH0gZnJvbSAnbm9kZTpwYXRoJztcbmltcG9ydCB7IHBhdGhUb0ZpbGVVUkwgfSBmcm9tICdub2RlOnVybCc7XG5pbXBvcnQgeyBzdmVsdGUgfSBmcm9tICdAc3ZlbHRlanMvdml0ZS1wbHVnaW4tc3ZlbHRlJztcbmltcG9ydCB7IGRlZmluZUNvbmZpZyB9IGZyb20gJ2VsZWN0cm9uLXZpdGUnO1xuaW1wb3J0IHsgYnVpbGQsIHR5cGUgUGx1Z2luIH0gZnJvbSAndml0ZSc7XG5cbmNvbnN0IGF0ID0gKHBhdGg6IHN0cmluZyk6IHN0cmluZyA9PiByZXNvbHZlKGltcG9ydC5tZXRhLmRpcm5hbWUsIHBhdGgpO1xuXG4vKipcbiAqIG1jcENhdGFsb2cuanNvbjogd2hhdCBhIGJyaWRnZSB0ZWxscyBpdHMgY2xpZW50IHdoaWxlIHRoZSBhcHAgaXMgZG93bi4gV3JpdHRlbiBkb3duIGhlcmUsIGJlY2F1c2UgdG8gbWFrZSBpdCB0YWtlcyBldmVyeSB0b29sIGFuZCB0aGUgc2NoZW1hXG4gKiBsaWJyYXJ5LCBmaXZlIHRpbWVzIGFzIGxvbmcgYXMgYWxsIHRoZSByZXN0IG9mIGEgYnJpZGdlJ3Mgc3RhcnQuXG4gKi9cbmNvbnN0IG1jcENhdGFsb2c6IFBsdWdpbiA9IHtcbiAgbmFtZTogJ21jcC1jYXRhbG9nJyxcbiAgYXN5bmMgZ2VuZXJhdGVCdW5kbGUoKSB7XG4gICAgY29uc3Qgc291cmNlID0gcGF0aFRvRmlsZVVSTChhdCgnc3JjLW1haW4vbWNwL3NlcnZlci9jYXRhbG9nLnRzJykpLmhyZWY7XG4gICAgY29uc3QgeyBjYXRhbG9ncyB9ID0gKGF3YWl0IGltcG9ydChzb3VyY2UpKSBhcyB0eXBlb2YgaW1wb3J0KCcuL3NyYy1tYWluL21jcC9zZXJ2ZXIvY2F0YWxvZy50cycpO1xuICAgIHRoaXMuZW1pdEZpbGUoeyB0eXBlOiAnYXNzZXQnLCBmaWxlTmFtZTogJ21jcENhdGFsb2cuanNvbicsIHNvdXJjZTogYCR7SlNPTi5zdHJpbmdpZnkoY2F0YWxvZ3MoJycpKX1cXG5gIH0pO1xuICB9LFxufTtcblxuLyoqIE1hZGUgZnJvbSB0aGUgY29tbWFuZHMgdGhlbXNlbHZlczogdGhlIGxpc3QgZm9yIHRoZSBnZW5lcmFsIGhlbHAsIGFuZCBmb3IgcGFja2FnZXMgdG8gaW5zdGFsbCB0aGUgbWFuIHBhZ2UgYW5kIHRoZSBjb21wbGV0aW9uIHNjcmlwdHMuICovXG5jb25zdCBjb21tYW5kRmlsZXM6IFBsdWdpbiA9IHtcbiAgbmFtZTogJ2NvbW1hbmQtZmlsZXMnLFxuICBhc3luYyBnZW5lcmF0ZUJ1bmRsZSgpIHtcbiAgICBjb25zdCBsb2FkID0gKHBhdGg6IHN0cmluZykgPT4gaW1wb3J0KHBhdGhUb0ZpbGVVUkwoYXQocGF0aCkpLmhyZWYpO1xuICAgIGNvbnN0IHsgYnVpbGRQcm9ncmFtLCBsaXN0Q29tbWFuZHMgfSA9IChhd2FpdCBsb2FkKFxuICAgICAgJ3NyYy1tYWluL2NsaS9wcm9ncmFtLnRzJyxcbiAgICApKSBhcyB0eXBlb2YgaW1wb3J0KCcuL3NyYy1tYWluL2NsaS9wcm9ncmFtLnRzJyk7XG4gICAgY29uc3QgeyBtYW5QYWdlIH0gPSAoYXdhaXQgbG9hZChcbiAgICAgICdzcmMtbWFpbi9jbGkvY29tcGxldGlvbnMvbWFuUGFnZS50cycsXG4gICAgKSkgYXMgdHlwZW9mIGltcG9ydCgnLi9zcmMtbWFpbi9jbGkvY29tcGxldGlvbnMvbWFuUGFnZS50cycpO1xuICAgIGNvbnN0IHsgQ09NUExFVElPTlMgfSA9IChhd2FpdCBsb2FkKFxuICAgICAgJ3NyYy1tYWluL2NsaS9jb21tYW5kcy9tYWludGFpbi9jb21wbGV0aW9ucy50cycsXG4gICAgKSkgYXMgdHlwZW9mIGltcG9ydCgnLi9zcmMtbWFpbi9jbGkvY29tbWFuZHMvbWFpbnRhaW4vY29tcGxldGlvbnMudHMnKTtcbiAgICBjb25zdCB7IGNvbW1hbmRUcmVlIH0gPSAoYXdhaXQgbG9hZChcbiAgICAgICdzcmMtbWFpbi9jbGkvY29tcGxldGlvbnMvY29tbWFuZFRyZWUudHMnLFxuICAgICkpIGFzIHR5cGVvZiBpbXBvcnQoJy4vc3JjLW1haW4vY2xpL2NvbXBsZXRpb25zL2NvbW1hbmRUcmVlLnRzJyk7XG4gICAgY29uc3QgeyB2ZXJzaW9uIH0gPSBKU09OLnBhcnNlKHJlYWRGaWxlU3luYyhhdCgncGFja2FnZS5qc29uJyksICd1dGY4JykpIGFzIHsgdmVyc2lvbjogc3RyaW5nIH07XG4gICAgY29uc3QgcHJvZ3JhbSA9IGF3YWl0IGJ1aWxkUHJvZ3JhbSh2ZXJzaW9uKTtcbiAgICB0aGlzLmVtaXRGaWxlKHsgdHlwZTogJ2Fzc2V0JywgZmlsZU5hbWU6ICdjb21tYW5kcy5qc29uJywgc291cmNlOiBgJHtKU09OLnN0cmluZ2lmeShsaXN0Q29tbWFuZHMocHJvZ3JhbSkpfVxcbmAgfSk7XG4gICAgdGhpcy5lbWl0RmlsZSh7IHR5cGU6ICdhc3NldCcsIGZpbGVOYW1lOiAnbWFuL2hhbnNhcmQuMScsIHNvdXJjZTogbWFuUGFnZShwcm9ncmFtLCB2ZXJzaW9uKSB9KTtcbiAgICBmb3IgKGNvbnN0IHsgZmlsZU5hbWUsIGZvcm1hdCB9IG9mIE9iamVjdC52YWx1ZXMoQ09NUExFVElPTlMpKVxuICAgICAgdGhpcy5lbWl0RmlsZSh7IHR5cGU6ICdhc3NldCcsIGZpbGVOYW1lOiBgY29tcGxldGlvbnMvJHtmaWxlTmFtZX1gLCBzb3VyY2U6IGZvcm1hdChjb21tYW5kVHJlZShwcm9ncmFtKSkgfSk7XG4gIH0sXG59O1xuXG4vKiogT2YgYSBmYWNlJ3MgdHdvIGZvcm1hdHMgdGhlIG9uZSB0aGF0IGV2ZXJ5IGJyb3dzZXIgcmVhZHM6IHRoZSBwYWdlIGhvbGRzIGl0cyBmYWNlcyBpdHNlbGYuICovXG5jb25zdCBvbmVGb250Rm9ybWF0OiBQbHVnaW4gPSB7XG4gIG5hbWU6ICdvbmUtZm9udC1mb3JtYXQnLFxuICBlbmZvcmNlOiAncHJlJyxcbiAgdHJhbnNmb3JtOiAoY29kZSwgaWQpID0+XG4gICAgL0Bmb250c291cmNlLipcXC5jc3MkLy50ZXN0KGlkKSA/IGNvZGUucmVwbGFjZSgvLFxccyp1cmxcXChbXildKlxcLndvZmZcXCkgZm9ybWF0XFwoKFtcIiddKXdvZmZcXDFcXCkvZywgJycpIDogdW5kZWZpbmVkLFxufTtcblxuLyoqIHJlcGxheS5odG1sOiBhIHBhZ2UgdGhhdCBob2xkcyBpdHMgc2NyaXB0LCBpdHMgc3R5bGUgYW5kIGl0cyBmYWNlcywgYW5kIGludG8gd2hpY2ggYSByZWNvcmRpbmcgaXMgcHV0IHdoZW4gaXQgaXMgZXhwb3J0ZWQuICovXG5jb25zdCByZXBsYXlQYWdlOiBQbHVnaW4gPSB7XG4gIG5hbWU6ICdyZXBsYXktcGFnZScsXG4gIGFzeW5jIGdlbmVyYXRlQnVuZGxlKCkge1xuICAgIGNvbnN0IGJ1aWx0ID0gYXdhaXQgYnVpbGQoe1xuICAgICAgY29uZmlnRmlsZTogZmFsc2UsXG4gICAgICBsb2dMZXZlbDogJ3dhcm4nLFxuICAgICAgcm9vdDogYXQoJ3NyYy1yZW5kZXJlcicpLFxuICAgICAgcGx1Z2luczogW3N2ZWx0ZSh7IGNvbmZpZ0ZpbGU6IGZhbHNlIH0pLCBvbmVGb250Rm9ybWF0XSxcbiAgICAgIGJ1aWxkOiB7XG4gICAgICAgIHdyaXRlOiBmYWxzZSxcbiAgICAgICAgdGFyZ2V0OiAnZXMyMDI0JyxcbiAgICAgICAgbWluaWZ5OiB0cnVlLFxuICAgICAgICBjc3NDb2RlU3BsaXQ6IGZhbHNlLFxuICAgICAgICBhc3NldHNJbmxpbmVMaW1pdDogMV8wMDBfMDAwLFxuICAgICAgICByb2xsdXBPcHRpb25zOiB7IGlucHV0OiBhdCgnc3JjLXJlbmRlcmVyL3JlcGxheS9wYWdlLnRzJyksIG91dHB1dDogeyBmb3JtYXQ6ICdpaWZlJyB9IH0sXG4gICAgICB9LFxuICAgIH0pO1xuICAgIGNvbnN0IGZpbGVzID0gW2J1aWx0XS5mbGF0KCkuZmxhdE1hcCgob25lKSA9PiAoJ291dHB1dCcgaW4gb25lID8gb25lLm91dHB1dCA6IFtdKSk7XG4gICAgY29uc3Qgc2NyaXB0ID0gZmlsZXMuZmluZCgoZmlsZSkgPT4gZmlsZS50eXBlID09PSAnY2h1bmsnKT8uY29kZTtcbiAgICBjb25zdCBzdHlsZSA9IGZpbGVzLmZpbmQoKHsgZmlsZU5hbWUgfSkgPT4gZmlsZU5hbWUuZW5kc1dpdGgoJy5jc3MnKSk7XG4gICAgaWYgKHNjcmlwdCA9PT0gdW5kZWZpbmVkIHx8IHN0eWxlPy50eXBlICE9PSAnYXNzZXQnKSB0aHJvdyBuZXcgRXJyb3IoJ1RoZSByZXBsYXkgcGFnZSBoYXMgbm8gc2NyaXB0IG9yIG5vIHN0eWxlLicpO1xuICAgIGNvbnN0IHsgcmVwbGF5UGFnZU9mIH0gPSBhd2FpdCBpbXBvcnQocGF0aFRvRmlsZVVSTChhdCgncmVzb3VyY2VzL2Rldi9yZXBsYXlQYWdlLm1qcycpKS5ocmVmKTtcbiAgICB0aGlzLmVtaXRGaWxlKHsgdHlwZTogJ2Fzc2V0JywgZmlsZU5hbWU6ICdyZXBsYXkuaHRtbCcsIHNvdXJjZTogcmVwbGF5UGFnZU9mKHNjcmlwdCwgU3RyaW5nKHN0eWxlLnNvdXJjZSkpIH0pO1xuICB9LFxufTtcblxuLyoqXG4gKiBxdWljay5qczogdGhlIGNvbW1hbmQgbGluZSdzIGRvb3IsIGluIG9uZSBmaWxlIHdpdGggdGhlIGNvbW1hbmRzIHRoYXQgYXJlIGNhbGxlZCBvZnRlbiwgc28gdGhhdCB0aGVpciBzdGFydCBjb3N0cyBsaXR0bGUgbW9yZSB0aGFuIE5vZGUncy5cbiAqIFdoYXQgZWxzZSBpdCBtYXkgbmVlZCBoYXMgYSBmaWxlIG9mIGl0cyBvd24gaW4gdGhlIG1haW4gYnVuZGxlLlxuICovXG5jb25zdCBxdWlja1N0YXJ0OiBQbHVnaW4gPSB7XG4gIG5hbWU6ICdxdWljay1zdGFydCcsXG4gIGFzeW5jIGdlbmVyYXRlQnVuZGxlKCkge1xuICAgIGNvbnN0IG93biA9IG5ldyBNYXAoW1xuICAgICAgW2F0KCdzcmMtbWFpbi9jbGkvbWFpbi50cycpLCAnLi9jbGkuanMnXSxcbiAgICAgIFthdCgnc3JjLW1haW4vaG9zdHMvd2ViL2Nvbm5lY3RDb3JlLnRzJyksICcuL2Nvbm5lY3RDb3JlLmpzJ10sXG4gICAgXSk7XG4gICAgY29uc3QgZWxzZXdoZXJlOiBQbHVnaW4gPSB7XG4gICAgICBuYW1lOiAnZWxzZXdoZXJlJyxcbiAgICAgIGVuZm9yY2U6ICdwcmUnLFxuICAgICAgYXN5bmMgcmVzb2x2ZUlkKHNvdXJjZSwgaW1wb3J0ZXIpIHtcbiAgICAgICAgY29uc3QgZm91bmQgPSBpbXBvcnRlciAmJiBzb3VyY2Uuc3RhcnRzV2l0aCgnLicpID8gcmVzb2x2ZShkaXJuYW1lKGltcG9ydGVyKSwgc291cmNlKSA6ICcnO1xuICAgICAgICBjb25zdCBpZCA9IG93bi5nZXQoZm91bmQpO1xuICAgICAgICByZXR1cm4gaWQgJiYgeyBpZCwgZXh0ZXJuYWw6IHRydWUgfTtcbiAgICAgIH0sXG4gICAgfTtcbiAgICBjb25zdCBidWlsdCA9IGF3YWl0IGJ1aWxkKHtcbiAgICAgIGNvbmZpZ0ZpbGU6IGZhbHNlLFxuICAgICAgbG9nTGV2ZWw6ICd3YXJuJyxcbiAgICAgIHJvb3Q6IGF0KCcuJyksXG4gICAgICBwbHVnaW5zOiBbZWxzZXdoZXJlXSxcbiAgICAgIHNzcjogeyBub0V4dGVybmFsOiB0cnVlIH0sXG4gICAgICBidWlsZDoge1xuICAgICAgICB3cml0ZTogZmFsc2UsXG4gICAgICAgIHNzcjogYXQoJ3NyYy1tYWluL2NsaS9xdWljay50cycpLFxuICAgICAgICB0YXJnZXQ6ICdub2RlMjInLFxuICAgICAgICBtaW5pZnk6IHRydWUsXG4gICAgICAgIHJvbGx1cE9wdGlvbnM6IHsgb3V0cHV0OiB7IGZvcm1hdDogJ2VzJywgY29kZVNwbGl0dGluZzogZmFsc2UgfSB9LFxuICAgICAgfSxcbiAgICB9KTtcbiAgICBjb25zdCBzY3JpcHQgPSBbYnVpbHRdLmZsYXQoKS5mbGF0TWFwKChvbmUpID0+ICgnb3V0cHV0JyBpbiBvbmUgPyBvbmUub3V0cHV0IDogW10pKTtcbiAgICBjb25zdCBbY2h1bmssIC4uLm1vcmVdID0gc2NyaXB0LmZpbHRlcigoZmlsZSkgPT4gZmlsZS50eXBlID09PSAnY2h1bmsnKTtcbiAgICBpZiAoIWNodW5rIHx8IG1vcmUubGVuZ3RoID4gMCkgdGhyb3cgbmV3IEVycm9yKCdUaGUgc3RhcnQgb2YgdGhlIGNvbW1hbmQgbGluZSBpcyBub3Qgb25lIGZpbGUuJyk7XG4gICAgdGhpcy5lbWl0RmlsZSh7IHR5cGU6ICdhc3NldCcsIGZpbGVOYW1lOiAncXVpY2suanMnLCBzb3VyY2U6IGNodW5rLmNvZGUgfSk7XG4gIH0sXG59O1xuXG4vKiogV2hhdCBjb21wbGV0aW9uIGtub3dzIG9mIGNvbW1hbmRzLCB3aXRoIGl0cyBsaWNlbmNlOiBkYXRhIGFsb25lLCBvbmUgZmlsZSBhIGNvbW1hbmQsIHJlYWQgd2hlbiBpdCBpcyBmaXJzdCBuZWVkZWQgKEFEUiAxMSkuICovXG5jb25zdCBjb21wbGV0aW9uRGF0YTogUGx1Z2luID0ge1xuICBuYW1lOiAnY29tcGxldGlvbi1kYXRhJyxcbiAgYXN5bmMgZ2VuZXJhdGVCdW5kbGUoKSB7XG4gICAgY29uc3QgeyBjb21wbGV0aW9uU3BlY3MgfSA9IChhd2FpdCBpbXBvcnQoXG4gICAgICBwYXRoVG9GaWxlVVJMKGF0KCdyZXNvdXJjZXMvZGV2L2NvbXBsZXRpb25TcGVjcy50cycpKS5ocmVmXG4gICAgKSkgYXMgdHlwZW9mIGltcG9ydCgnLi9yZXNvdXJjZXMvZGV2L2NvbXBsZXRpb25TcGVjcy50cycpO1xuICAgIGZvciAoY29uc3QgW25hbWUsIHNvdXJjZV0gb2YgYXdhaXQgY29tcGxldGlvblNwZWNzKCkpXG4gICAgICB0aGlzLmVtaXRGaWxlKHsgdHlwZTogJ2Fzc2V0JywgZmlsZU5hbWU6IGBzcGVjcy8ke25hbWV9YCwgc291cmNlIH0pO1xuICB9LFxufTtcblxuLyoqIFdpdGggZWFjaCBidW5kbGUsIHRoZSBsaWNlbmNlcyBvZiB0aGUgcGFja2FnZXMgdGhhdCB3ZW50IGludG8gaXQuICovXG5jb25zdCBsaWNlbnNlID0geyBmaWxlTmFtZTogJ3RoaXJkLXBhcnR5LWxpY2Vuc2VzLm1kJyB9O1xuXG4vKipcbiAqIFRocmVlIGJ1bmRsZXM6IHRoZSBjb3JlIHdpdGggaXRzIGZyb250cyBhbmQgaXRzIHdvcmtlcnMgKEVTTTsgZXZlcnkgcGFja2FnZSB0aGF0IGlzIG5vdCBpbiBgZGVwZW5kZW5jaWVzYCBnb2VzIGludG8gaXQsIHNlZSBBRFIgMSksIHRoZVxuICogcHJlbG9hZCAob25lIENvbW1vbkpTIGZpbGUsIGFzIGEgc2FuZGJveCBkZW1hbmRzKSwgdGhlIHdpbmRvdy5cbiAqL1xuZXhwb3J0IGRlZmF1bHQgZGVmaW5lQ29uZmlnKHtcbiAgbWFpbjoge1xuICAgIHBsdWdpbnM6IFttY3BDYXRhbG9nLCBjb21tYW5kRmlsZXMsIGNvbXBsZXRpb25EYXRhLCBxdWlja1N0YXJ0XSxcbiAgICBidWlsZDoge1xuICAgICAgb3V0RGlyOiAnb3V0L21haW4nLFxuICAgICAgdGFyZ2V0OiAnbm9kZTIyJywgLy8gdGhlIG9sZGVzdCB0aGF0IHBhY2thZ2UuanNvbiBhbGxvd3NcbiAgICAgIGxpY2Vuc2UsXG4gICAgICBtaW5pZnk6IGZhbHNlLFxuICAgICAgc291cmNlbWFwOiB0cnVlLFxuICAgICAgcm9sbHVwT3B0aW9uczoge1xuICAgICAgICBjaGVja3M6IHsgcGx1Z2luVGltaW5nczogZmFsc2UgfSxcbiAgICAgICAgaW5wdXQ6IHtcbiAgICAgICAgICBlbGVjdHJvbjogYXQoJ3NyYy1tYWluL2hvc3RzL2VsZWN0cm9uL21haW4udHMnKSxcbiAgICAgICAgICBjbGk6IGF0KCdzcmMtbWFpbi9jbGkvbWFpbi50cycpLFxuICAgICAgICAgIGNvbm5lY3RDb3JlOiBhdCgnc3JjLW1haW4vaG9zdHMvd2ViL2Nvbm5lY3RDb3JlLnRzJyksXG4gICAgICAgICAgbWNwQnJpZGdlOiBhdCgnc3JjLW1haW4vY2xpL21jcC9tY3BCcmlkZ2UudHMnKSxcbiAgICAgICAgICBwdHlIb3N0OiBhdCgnc3JjLW1haW4vcHR5SG9zdC9ob3N0L21haW4udHMnKSxcbiAgICAgICAgICBzY3JlZW5Xb3JrZXI6IGF0KCdzcmMtbWFpbi90ZXJtaW5hbC9zY3JlZW4vc2NyZWVuV29ya2VyLnRzJyksXG4gICAgICAgICAgcG5nV29ya2VyOiBhdCgnc3JjLW1haW4vcGljdHVyZS9wbmdXb3JrZXIudHMnKSxcbiAgICAgICAgICBzZWFyY2hXb3JrZXI6IGF0KCdzcmMtbWFpbi9zZWFyY2gvc2VhcmNoV29ya2VyLnRzJyksXG4gICAgICAgICAgcGFzdFdvcmtlcjogYXQoJ3NyYy1tYWluL3Bhc3QvcGFzdFdvcmtlci50cycpLFxuICAgICAgICB9LFxuICAgICAgICBvdXRwdXQ6IHsgZm9ybWF0OiAnZXMnLCBlbnRyeUZpbGVOYW1lczogJ1tuYW1lXS5qcycsIGNodW5rRmlsZU5hbWVzOiAnY2h1bmtzL1tuYW1lXS1baGFzaF0uanMnIH0sXG4gICAgICB9LFxuICAgIH0sXG4gIH0sXG4gIHByZWxvYWQ6IHtcbiAgICBidWlsZDoge1xuICAgICAgb3V0RGlyOiAnb3V0L3ByZWxvYWQnLFxuICAgICAgZXh0ZXJuYWxpemVEZXBzOiBmYWxzZSxcbiAgICAgIHJvbGx1cE9wdGlvbnM6IHtcbiAgICAgICAgY2hlY2tzOiB7IHBsdWdpblRpbWluZ3M6IGZhbHNlIH0sXG4gICAgICAgIGlucHV0OiB7IHByZWxvYWQ6IGF0KCdzcmMtcHJlbG9hZC9wcmVsb2FkLnRzJykgfSxcbiAgICAgICAgZXh0ZXJuYWw6IFsnZWxlY3Ryb24nXSxcbiAgICAgICAgb3V0cHV0OiB7IGZvcm1hdDogJ2NqcycsIGVudHJ5RmlsZU5hbWVzOiAnW25hbWVdLmNqcycgfSxcbiAgICAgIH0sXG4gICAgfSxcbiAgfSxcbiAgcmVuZGVyZXI6IHtcbiAgICByb290OiBhdCgnc3JjLXJlbmRlcmVyJyksXG4gICAgcGx1Z2luczogW3N2ZWx0ZSh7IGNvbmZpZ0ZpbGU6IGZhbHNlIH0pLCByZXBsYXlQYWdlXSxcbiAgICBidWlsZDoge1xuICAgICAgb3V0RGlyOiBhdCgnb3V0L3JlbmRlcmVyJyksXG4gICAgICBsaWNlbnNlLFxuICAgICAgdGFyZ2V0OiAnZXMyMDI0JyxcbiAgICAgIG1pbmlmeTogdHJ1ZSwgLy8gZWxlY3Ryb24tdml0ZSBsZWF2ZXMgaXQgb3V0IG90aGVyd2lzZVxuICAgICAgLy8gZm9udHMgc3RheSBmaWxlczogYSBkYXRhOiBVUkwgaXMgbm90IGluIHRoZSBwb2xpY3lcbiAgICAgIGFzc2V0c0lubGluZUxpbWl0OiAwLFxuICAgICAgY2h1bmtTaXplV2FybmluZ0xpbWl0OiAyMDAwLCAvLyBpdCBpcyBsb2FkZWQgZnJvbSB0aGlzIG1hY2hpbmVcbiAgICAgIHJvbGx1cE9wdGlvbnM6IHsgaW5wdXQ6IHsgaW5kZXg6IGF0KCdzcmMtcmVuZGVyZXIvaW5kZXguaHRtbCcpIH0sIGNoZWNrczogeyBwbHVnaW5UaW1pbmdzOiBmYWxzZSB9IH0sXG4gICAgfSxcbiAgfSxcbn0pO1xuIl0sIm1hcHBpbmdzIjoiOzs7Ozs7OztBQU9BLE1BQU0sTUFBTSxTQUF5QixRQUFRLFlBQVksU0FBUyxJQUFJOzs7OztBQU10RSxNQUFNLGFBQXFCO0NBQ3pCLE1BQU07Q0FDTixNQUFNLGlCQUFpQjtFQUVyQixNQUFNLEVBQUUsYUFBYyxNQUFNLE9BRGIsY0FBYyxHQUFHLGdDQUFnQyxDQUFDLENBQUMsQ0FBQztFQUVuRSxLQUFLLFNBQVM7R0FBRSxNQUFNO0dBQVMsVUFBVTtHQUFtQixRQUFRLEdBQUcsS0FBSyxVQUFVLFNBQVMsRUFBRSxDQUFDLEVBQUU7RUFBSSxDQUFDO0NBQzNHO0FBQ0Y7O0FBR0EsTUFBTSxlQUF1QjtDQUMzQixNQUFNO0NBQ04sTUFBTSxpQkFBaUI7RUFDckIsTUFBTSxRQUFRLFNBQWlCLE9BQU8sY0FBYyxHQUFHLElBQUksQ0FBQyxDQUFDLENBQUM7RUFDOUQsTUFBTSxFQUFFLGNBQWMsaUJBQWtCLE1BQU0sS0FDNUMseUJBQ0Y7RUFDQSxNQUFNLEVBQUUsWUFBYSxNQUFNLEtBQ3pCLHFDQUNGO0VBQ0EsTUFBTSxFQUFFLGdCQUFpQixNQUFNLEtBQzdCLCtDQUNGO0VBQ0EsTUFBTSxFQUFFLGdCQUFpQixNQUFNLEtBQzdCLHlDQUNGO0VBQ0EsTUFBTSxFQUFFLFlBQVksS0FBSyxNQUFNLGFBQWEsR0FBRyxjQUFjLEdBQUcsTUFBTSxDQUFDO0VBQ3ZFLE1BQU0sVUFBVSxNQUFNLGFBQWEsT0FBTztFQUMxQyxLQUFLLFNBQVM7R0FBRSxNQUFNO0dBQVMsVUFBVTtHQUFpQixRQUFRLEdBQUcsS0FBSyxVQUFVLGFBQWEsT0FBTyxDQUFDLEVBQUU7RUFBSSxDQUFDO0VBQ2hILEtBQUssU0FBUztHQUFFLE1BQU07R0FBUyxVQUFVO0dBQWlCLFFBQVEsUUFBUSxTQUFTLE9BQU87RUFBRSxDQUFDO0VBQzdGLEtBQUssTUFBTSxFQUFFLFVBQVUsWUFBWSxPQUFPLE9BQU8sV0FBVyxHQUMxRCxLQUFLLFNBQVM7R0FBRSxNQUFNO0dBQVMsVUFBVSxlQUFlO0dBQVksUUFBUSxPQUFPLFlBQVksT0FBTyxDQUFDO0VBQUUsQ0FBQztDQUM5RztBQUNGOztBQUdBLE1BQU0sZ0JBQXdCO0NBQzVCLE1BQU07Q0FDTixTQUFTO0NBQ1QsWUFBWSxNQUFNLE9BQ2hCLHNCQUFzQixLQUFLLEVBQUUsSUFBSSxLQUFLLFFBQVEsa0RBQWtELEVBQUUsSUFBSSxLQUFBO0FBQzFHOztBQUdBLE1BQU0sYUFBcUI7Q0FDekIsTUFBTTtDQUNOLE1BQU0saUJBQWlCO0VBZXJCLE1BQU0sUUFBUSxDQUFDLE1BZEssTUFBTTtHQUN4QixZQUFZO0dBQ1osVUFBVTtHQUNWLE1BQU0sR0FBRyxjQUFjO0dBQ3ZCLFNBQVMsQ0FBQyxPQUFPLEVBQUUsWUFBWSxNQUFNLENBQUMsR0FBRyxhQUFhO0dBQ3RELE9BQU87SUFDTCxPQUFPO0lBQ1AsUUFBUTtJQUNSLFFBQVE7SUFDUixjQUFjO0lBQ2QsbUJBQW1CO0lBQ25CLGVBQWU7S0FBRSxPQUFPLEdBQUcsNkJBQTZCO0tBQUcsUUFBUSxFQUFFLFFBQVEsT0FBTztJQUFFO0dBQ3hGO0VBQ0YsQ0FBQyxDQUNtQixDQUFDLENBQUMsS0FBSyxDQUFDLENBQUMsU0FBUyxRQUFTLFlBQVksTUFBTSxJQUFJLFNBQVMsQ0FBQyxDQUFFO0VBQ2pGLE1BQU0sU0FBUyxNQUFNLE1BQU0sU0FBUyxLQUFLLFNBQVMsT0FBTyxDQUFDLEVBQUU7RUFDNUQsTUFBTSxRQUFRLE1BQU0sTUFBTSxFQUFFLGVBQWUsU0FBUyxTQUFTLE1BQU0sQ0FBQztFQUNwRSxJQUFJLFdBQVcsS0FBQSxLQUFhLE9BQU8sU0FBUyxTQUFTLE1BQU0sSUFBSSxNQUFNLDRDQUE0QztFQUNqSCxNQUFNLEVBQUUsaUJBQWlCLE1BQU0sT0FBTyxjQUFjLEdBQUcsOEJBQThCLENBQUMsQ0FBQyxDQUFDO0VBQ3hGLEtBQUssU0FBUztHQUFFLE1BQU07R0FBUyxVQUFVO0dBQWUsUUFBUSxhQUFhLFFBQVEsT0FBTyxNQUFNLE1BQU0sQ0FBQztFQUFFLENBQUM7Q0FDOUc7QUFDRjs7Ozs7QUFNQSxNQUFNLGFBQXFCO0NBQ3pCLE1BQU07Q0FDTixNQUFNLGlCQUFpQjtFQUNyQixNQUFNLHNCQUFNLElBQUksSUFBSSxDQUNsQixDQUFDLEdBQUcsc0JBQXNCLEdBQUcsVUFBVSxHQUN2QyxDQUFDLEdBQUcsbUNBQW1DLEdBQUcsa0JBQWtCLENBQzlELENBQUM7RUF5QkQsTUFBTSxDQUFDLE9BQU8sR0FBRyxRQURGLENBQUMsTUFkSSxNQUFNO0dBQ3hCLFlBQVk7R0FDWixVQUFVO0dBQ1YsTUFBTSxHQUFHLEdBQUc7R0FDWixTQUFTLENBQUM7SUFaVixNQUFNO0lBQ04sU0FBUztJQUNULE1BQU0sVUFBVSxRQUFRLFVBQVU7S0FDaEMsTUFBTSxRQUFRLFlBQVksT0FBTyxXQUFXLEdBQUcsSUFBSSxRQUFRLFFBQVEsUUFBUSxHQUFHLE1BQU0sSUFBSTtLQUN4RixNQUFNLEtBQUssSUFBSSxJQUFJLEtBQUs7S0FDeEIsT0FBTyxNQUFNO01BQUU7TUFBSSxVQUFVO0tBQUs7SUFDcEM7R0FNa0IsQ0FBQztHQUNuQixLQUFLLEVBQUUsWUFBWSxLQUFLO0dBQ3hCLE9BQU87SUFDTCxPQUFPO0lBQ1AsS0FBSyxHQUFHLHVCQUF1QjtJQUMvQixRQUFRO0lBQ1IsUUFBUTtJQUNSLGVBQWUsRUFBRSxRQUFRO0tBQUUsUUFBUTtLQUFNLGVBQWU7SUFBTSxFQUFFO0dBQ2xFO0VBQ0YsQ0FBQyxDQUNvQixDQUFDLENBQUMsS0FBSyxDQUFDLENBQUMsU0FBUyxRQUFTLFlBQVksTUFBTSxJQUFJLFNBQVMsQ0FBQyxDQUNsRCxDQUFDLENBQUMsUUFBUSxTQUFTLEtBQUssU0FBUyxPQUFPO0VBQ3RFLElBQUksQ0FBQyxTQUFTLEtBQUssU0FBUyxHQUFHLE1BQU0sSUFBSSxNQUFNLGdEQUFnRDtFQUMvRixLQUFLLFNBQVM7R0FBRSxNQUFNO0dBQVMsVUFBVTtHQUFZLFFBQVEsTUFBTTtFQUFLLENBQUM7Q0FDM0U7QUFDRjs7QUFHQSxNQUFNLGlCQUF5QjtDQUM3QixNQUFNO0NBQ04sTUFBTSxpQkFBaUI7RUFDckIsTUFBTSxFQUFFLG9CQUFxQixNQUFNLE9BQ2pDLGNBQWMsR0FBRyxrQ0FBa0MsQ0FBQyxDQUFDLENBQUM7RUFFeEQsS0FBSyxNQUFNLENBQUMsTUFBTSxXQUFXLE1BQU0sZ0JBQWdCLEdBQ2pELEtBQUssU0FBUztHQUFFLE1BQU07R0FBUyxVQUFVLFNBQVM7R0FBUTtFQUFPLENBQUM7Q0FDdEU7QUFDRjs7QUFHQSxNQUFNLFVBQVUsRUFBRSxVQUFVLDBCQUEwQjs7Ozs7QUFNdEQsSUFBQSwrQkFBZSxhQUFhO0NBQzFCLE1BQU07RUFDSixTQUFTO0dBQUM7R0FBWTtHQUFjO0dBQWdCO0VBQVU7RUFDOUQsT0FBTztHQUNMLFFBQVE7R0FDUixRQUFRO0dBQ1I7R0FDQSxRQUFRO0dBQ1IsV0FBVztHQUNYLGVBQWU7SUFDYixRQUFRLEVBQUUsZUFBZSxNQUFNO0lBQy9CLE9BQU87S0FDTCxVQUFVLEdBQUcsaUNBQWlDO0tBQzlDLEtBQUssR0FBRyxzQkFBc0I7S0FDOUIsYUFBYSxHQUFHLG1DQUFtQztLQUNuRCxXQUFXLEdBQUcsK0JBQStCO0tBQzdDLFNBQVMsR0FBRywrQkFBK0I7S0FDM0MsY0FBYyxHQUFHLDBDQUEwQztLQUMzRCxXQUFXLEdBQUcsK0JBQStCO0tBQzdDLGNBQWMsR0FBRyxpQ0FBaUM7S0FDbEQsWUFBWSxHQUFHLDZCQUE2QjtJQUM5QztJQUNBLFFBQVE7S0FBRSxRQUFRO0tBQU0sZ0JBQWdCO0tBQWEsZ0JBQWdCO0lBQTBCO0dBQ2pHO0VBQ0Y7Q0FDRjtDQUNBLFNBQVMsRUFDUCxPQUFPO0VBQ0wsUUFBUTtFQUNSLGlCQUFpQjtFQUNqQixlQUFlO0dBQ2IsUUFBUSxFQUFFLGVBQWUsTUFBTTtHQUMvQixPQUFPLEVBQUUsU0FBUyxHQUFHLHdCQUF3QixFQUFFO0dBQy9DLFVBQVUsQ0FBQyxVQUFVO0dBQ3JCLFFBQVE7SUFBRSxRQUFRO0lBQU8sZ0JBQWdCO0dBQWE7RUFDeEQ7Q0FDRixFQUNGO0NBQ0EsVUFBVTtFQUNSLE1BQU0sR0FBRyxjQUFjO0VBQ3ZCLFNBQVMsQ0FBQyxPQUFPLEVBQUUsWUFBWSxNQUFNLENBQUMsR0FBRyxVQUFVO0VBQ25ELE9BQU87R0FDTCxRQUFRLEdBQUcsY0FBYztHQUN6QjtHQUNBLFFBQVE7R0FDUixRQUFRO0dBRVIsbUJBQW1CO0dBQ25CLHVCQUF1QjtHQUN2QixlQUFlO0lBQUUsT0FBTyxFQUFFLE9BQU8sR0FBRyx5QkFBeUIsRUFBRTtJQUFHLFFBQVEsRUFBRSxlQUFlLE1BQU07R0FBRTtFQUNyRztDQUNGO0FBQ0YsQ0FBQyJ9