import { createLogger } from '../../../src/create/create-logger.ts'
import { processExporter } from '../../../src/exporters/process/process-exporter.ts'
import { logRows, rowsAndRules, type Kind } from './rules.ts'

// Logs all rows of a kind (first argument) to the standard output, or to a file (second argument) with a writer process.
const [kind, path] = process.argv.slice(2) as [Kind, string | undefined]
const { redact } = rowsAndRules(kind)
const log = createLogger({
  level: 'trace',
  redact,
  ...(path === undefined ? {} : { exporter: processExporter({ path }) }),
})
logRows(log, kind)
