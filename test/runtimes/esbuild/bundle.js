// node bundle.js ENTRY OUT esm|cjs|browser
import { build } from 'esbuild'

const [, , entry, outfile, kind] = process.argv
const forBrowsers = { format: 'iife', minify: true }
const forNode = { format: kind, platform: 'node' }
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  logLevel: 'warning',
  ...(kind === 'browser' ? forBrowsers : forNode),
})
