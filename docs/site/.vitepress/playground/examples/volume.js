import { createLogger } from 'sluice'
import { dedupe, limit } from 'sluice/handlers'

// One record of each message in a window.
const database = createLogger({ name: 'database', handler: dedupe() })
for (let attempt = 0; attempt < 10_000; attempt++) database.error('connection to {host} lost', { host: 'db', attempt })

// The first 3 records of each message, then every 1,000th.
const jobs = createLogger({ name: 'jobs', handler: limit({ first: 3, thereafter: 1_000 }) })
for (let job = 1; job <= 2_000; job++) jobs.info('job {job} done', { job })

// A flush writes how many records were suppressed. The end of a program does too.
await database.flush()
console.log(jobs.stats().filteredByReason)
