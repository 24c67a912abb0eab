// Nothing is awaited, and nothing is lost: what waits is written before the process ends.
import { createLogger } from 'sluice'

const log = createLogger()
for (let i = 1; i <= 3; i++) log.info('line {i} of 3', { i })
process.exit(0)
