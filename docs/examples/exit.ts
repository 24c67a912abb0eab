// Queued records are written before the process exits, without an `await`.
import { createLogger } from 'sluice'

const log = createLogger()
for (let i = 1; i <= 3; i++) log.info('line {i} of 3', { i })
process.exit(0)
