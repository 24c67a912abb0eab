import { processSuite } from '../processes.ts'

processSuite(import.meta.url, {
  command: 'deno',
  args: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
})
