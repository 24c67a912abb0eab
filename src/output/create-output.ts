import { CsvOutput } from './csv-output.ts'
import { JsonOutput } from './json-output.ts'
import { LogfmtOutput } from './logfmt-output.ts'
import { OtlpOutput } from './otlp-output.ts'
import type { Output } from './output.ts'
import type { OutputSettings } from './output-settings.ts'
import { RawOutput } from './raw-output.ts'
import { RecordRedactor } from './record-redactor.ts'
import { RedactingOutput } from './redacting-output.ts'
import { TerminalOutput } from './terminal-output.ts'

/** Creates the output for the flags of the command line. */
export function createOutput(settings: OutputSettings): Output {
  const output = outputOf(settings)
  const { redact } = settings
  return redact === undefined || redact.length === 0 ? output : new RedactingOutput(output, new RecordRedactor(redact))
}

function outputOf(settings: OutputSettings): Output {
  switch (settings.format) {
    case 'json':
      return new JsonOutput(settings)
    case 'raw':
      return new RawOutput(settings)
    case 'logfmt':
      return new LogfmtOutput(settings)
    case 'otlp':
      return new OtlpOutput(settings)
    case 'csv':
      return new CsvOutput(settings)
    default:
      return new TerminalOutput(settings)
  }
}
