import { processSuite } from '../processes.ts'

processSuite(import.meta.url, { command: 'bun', args: [] })
