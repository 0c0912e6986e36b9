/** Compiles the core from what the network or the caller hands over. */

/** Everything that `init` accepts: a URL to fetch, a response, the bytes, or a compiled module. */
export type CoreSource = string | URL | Response | BufferSource | WebAssembly.Module;

export async function compile(source: CoreSource): Promise<WebAssembly.Module> {
  if (typeof source === 'string' || 'href' in source) return compileResponse(await fetch(source));
  if ('arrayBuffer' in source) return compileResponse(source);
  return isModule(source) ? source : WebAssembly.compile(source);
}

export function compileSync(source: BufferSource | WebAssembly.Module): WebAssembly.Module {
  return isModule(source) ? source : new WebAssembly.Module(source);
}

/** Compiles while the bytes arrive, where the runtime can and the server says that it is WebAssembly. */
async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw new Error(`subcontract could not load its core from ${response.url}: HTTP ${response.status}`);
  }
  const type = response.headers.get('content-type')?.split(';')[0]?.trim();
  if (type === 'application/wasm' && typeof WebAssembly.compileStreaming === 'function') {
    return WebAssembly.compileStreaming(response);
  }
  // Apart from the call, which some bundlers wrap into a function of their own.
  const bytes = await response.arrayBuffer();
  return WebAssembly.compile(bytes);
}

/** By its tag and not by `instanceof`, because edge runtimes hand over modules of another realm. */
function isModule(source: BufferSource | WebAssembly.Module): source is WebAssembly.Module {
  return Object.prototype.toString.call(source) === '[object WebAssembly.Module]';
}
