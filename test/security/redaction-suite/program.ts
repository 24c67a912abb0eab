import { createLogger } from '../../../src/create/create-logger.ts'
import { processExporter } from '../../../src/exporters/process/process-exporter.ts'
import { speak, spoken, type Kind } from './rules.ts'

/** Says all rows of a kind, `kind` the first argument, to the standard output, or to a file by a writer process. */
const [kind, path] = process.argv.slice(2) as [Kind, string | undefined]
const { redact } = spoken(kind)
const log = createLogger({
  level: 'trace',
  redact,
  ...(path === undefined ? {} : { exporter: processExporter({ path }) }),
})
speak(log, kind)
