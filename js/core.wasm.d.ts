// The type of importing 'subcontract/core.wasm' where the bundler or runtime hands over a compiled module.
declare const module: WebAssembly.Module;
export default module;
