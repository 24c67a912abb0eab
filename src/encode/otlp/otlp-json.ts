import type { Resource, Scope, InstrumentationSource } from '../../record/instrumentation-source.ts'
import type { Encoding } from '../encoding.ts'
import { otlpJsonResourceMembers, otlpJsonScopeMembers } from './otlp-json-source.ts'
import { OtlpJsonWriter, type OtlpFrame } from './otlp-json-writer.ts'
import { OtlpTarget } from './otlp-target.ts'
import { flattenString } from '../json/quote.ts'
import { walkFormat } from '../walk-encoder.ts'

/**
 * Creates an encoding that writes the lines of the OpenTelemetry File Exporter. Each line is a complete `{"resourceLogs":[…]}` with one
 * record, so that lines are as short as possible: container runtimes split lines at 16 KiB, and the Collector's receiver splits them at 1
 * MiB. The record precedes the scope and the resource, because the receiver identifies a file by its first 1,000 bytes, which must
 * therefore differ from those of other files.
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
      // The keys of a cache are set after its value, which is not computed if the stack is exhausted.
      this.text = flattenString(`}],${otlpJsonScopeMembers(scope)}}],${otlpJsonResourceMembers(resource)}}]}\n`)
      this.scope = scope
      this.resource = resource
    }
    return this.text
  }
}
