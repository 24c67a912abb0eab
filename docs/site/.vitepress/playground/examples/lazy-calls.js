import { createLogger } from 'sluice'

const log = createLogger({ level: 'info' })

function expensiveReport() {
  console.log('computing the report')
  return { rows: 3 }
}

// The function is not called, because debug is off.
log.debug(() => ['cache report', expensiveReport()])

log.level = 'debug'
log.debug(() => ['cache report', expensiveReport()])
