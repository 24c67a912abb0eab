import type { Resource, Scope, InstrumentationSource } from '../../record/record.ts'
import type { Encoding } from '../encoding.ts'
import { otlpJsonResource, otlpJsonScope } from './otlp-json-source.ts'
import { OtlpJsonWriter, type OtlpFrame } from './otlp-json-writer.ts'
import { OtlpTarget } from './otlp-target.ts'
import { flat } from '../json/quote.ts'
import { walkFormat } from '../walk-encoder.ts'

/**
 * The lines of the OpenTelemetry File Exporter (FIL1): each is a whole `{"resourceLogs":[…]}` with one record, so that a line
 * stays as short as can be (FIL6, FIL7). The record stands in front: what is at the beginning of a file tells it from another
 * (FIL6).
 */
export function otlpJsonLines(): Encoding {
  return walkFormat({ key: 'otlpJson' }, (rules) => new OtlpTarget(rules, new OtlpJsonWriter(new LineFrame())))
}

class LineFrame implements OtlpFrame {
  readonly opening = '{"resourceLogs":[{"scopeLogs":[{"logRecords":['
  private scope: Scope | undefined
  private resource: Resource | undefined
  private text = ''

  /** From the end of the record to that of the line. */
  closing({ scope, resource }: InstrumentationSource): string {
    if (scope !== this.scope || resource !== this.resource) {
      this.scope = scope
      this.resource = resource
      this.text = flat(`}],${otlpJsonScope(scope)}}],${otlpJsonResource(resource)}}]}\n`)
    }
    return this.text
  }
}
