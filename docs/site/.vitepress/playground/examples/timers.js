import { createLogger, defineEvent } from 'sluice'

const log = createLogger({ name: 'worker' })
const jobDone = defineEvent('job.done', { message: 'job {job} done in {millis} ms' })

// Promises and timers work. A run ends when no timer is left, or after 3 s.
for (const job of [1, 2, 3]) {
  const start = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 100 * job))
  jobDone(log, { job, millis: Math.round(performance.now() - start) })
}

setTimeout(() => log.info('last'), 50)
