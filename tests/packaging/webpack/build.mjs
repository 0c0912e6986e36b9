// Builds main.mjs with webpack as it comes, in the mode of the first argument.
import { fileURLToPath } from 'node:url';
import webpack from 'webpack';

const [mode, path] = process.argv.slice(2);
const compiler = webpack({
  mode,
  context: fileURLToPath(new URL('.', import.meta.url)),
  entry: './main.mjs',
  output: { path, filename: 'main.js' },
  // The default of its development mode is eval(), which the page's policy forbids.
  devtool: false,
  performance: false,
});
compiler.run((error, stats) => {
  if (error) throw error;
  const { errors, warnings, assets } = stats.toJson({ all: false, errors: true, warnings: true, assets: true });
  console.log(JSON.stringify({ problems: [...errors, ...warnings], assets: assets.map(({ name }) => name) }));
  compiler.close(() => {});
});
