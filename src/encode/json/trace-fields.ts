import type { SpanContext } from '../../record/span.ts'
import type { CoreField } from './layout-bases.ts'
import type { ResolvedLayout } from './layout.ts'
import { quote } from './quote.ts'

/** Returns the value of a field that describes the span, as JSON. */
export function traceValue(field: CoreField, span: SpanContext, { trace, project }: ResolvedLayout): string {
  const { traceId, spanId, traceFlags } = span
  if (field === 'traceFlags') {
    // Bit 0 of the W3C trace flags means sampled.
    if (trace === 'gcp') return (traceFlags & 1) === 1 ? 'true' : 'false'
    return quote((traceFlags & 0xff).toString(16).padStart(2, '0'))
  }
  const id = field === 'traceId' ? traceId : spanId
  if (trace === 'datadog') return quote(decimal(id))
  return quote(field === 'traceId' && project !== undefined ? `projects/${project}/traces/${id}` : id)
}

/** Returns the low 64 bits of an id as a decimal number, which is the form of Datadog. An id that is not hexadecimal stays unchanged. */
function decimal(id: string): string {
  return /^[0-9a-f]{1,32}$/i.test(id) ? '' + BigInt('0x' + id.slice(-16)) : id
}
