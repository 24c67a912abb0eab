// node bundle.js ENTRY OUT esm|cjs|browser
import { basename, dirname } from 'node:path'
import webpack from 'webpack'

const [, , entry, file, kind] = process.argv
const isModule = kind === 'esm'
const configuration = {
  mode: 'production',
  entry,
  target: kind === 'browser' ? ['web', 'es2022'] : 'node22',
  performance: false,
  // Minimization takes most of the time, so only browser bundles are minimized.
  optimization: { minimize: kind === 'browser' },
  experiments: { outputModule: isModule },
  output: {
    path: dirname(file),
    filename: basename(file),
    ...(isModule ? { module: true, chunkFormat: 'module' } : {}),
  },
}
webpack(configuration, (error, stats) => {
  if (error) throw error
  if (stats.hasErrors() || stats.hasWarnings()) console.error(stats.toString())
})
