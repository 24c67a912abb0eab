// node bundle.js ENTRY OUT esm|cjs|browser
import { rolldown } from 'rolldown'

const [, , input, file, kind] = process.argv
const isBrowser = kind === 'browser'
const bundle = await rolldown({ input, platform: isBrowser ? 'browser' : 'node' })
await bundle.write({ file, format: isBrowser ? 'iife' : kind, minify: isBrowser, codeSplitting: false })
await bundle.close()
