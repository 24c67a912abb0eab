import type { Resource, Scope, InstrumentationSource } from '../../record/instrumentation-source.ts'
import type { Encoding } from '../encoding.ts'
import { otlpJsonResource, otlpJsonScope } from './otlp-json-source.ts'
import { OtlpJsonWriter, type OtlpFrame } from './otlp-json-writer.ts'
import { OtlpTarget } from './otlp-target.ts'
import { flat } from '../json/quote.ts'
import { walkFormat } from '../walk-encoder.ts'

/**
 * Creates an encoding that writes the lines of the OpenTelemetry File Exporter (FIL1). Each line is a complete `{"resourceLogs":[…]}` with
 * one record, so that lines are as short as possible (FIL6, FIL7). The record comes first, because readers identify a file by its first
 * bytes (FIL6).
 */
export function otlpJsonLines(): Encoding {
  return walkFormat({ key: 'otlpJson' }, (rules) => new OtlpTarget(rules, new OtlpJsonWriter(new LineFrame())))
}

class LineFrame implements OtlpFrame {
  readonly opening = '{"resourceLogs":[{"scopeLogs":[{"logRecords":['
  private scope: Scope | undefined
  private resource: Resource | undefined
  private text = ''

  /** Returns the text from the end of the record to the end of the line. */
  closing({ scope, resource }: InstrumentationSource): string {
    if (scope !== this.scope || resource !== this.resource) {
      this.scope = scope
      this.resource = resource
      this.text = flat(`}],${otlpJsonScope(scope)}}],${otlpJsonResource(resource)}}]}\n`)
    }
    return this.text
  }
}
