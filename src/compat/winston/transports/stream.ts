import type { Writable } from 'node:stream'
import { jsonLines } from '../../../encode/json/json-lines.ts'
import { pickDeliveryOptions } from '../../../exporters/exporter-options.ts'
import type { Check } from '../../../options/option-checks.ts'
import { asStandardStream } from '../../../platform/node/standard-streams.ts'
import type { TransformableInfo } from '../info.ts'
import { boundedWrite } from './bounded-write.ts'
import { checkedTransport } from './checked-transport.ts'
import { LineTransport, lineTransportSchema, type LineTransportOptions } from './line-transport.ts'
import { standardExporter } from './standard-exporter.ts'
import { streamExporter } from './stream-exporter.ts'
import type { Next } from './transport.ts'
import { member, membersOf } from '../../../options/own-members.ts'

/** Options of `transports.Stream`. */
export interface StreamTransportOptions extends LineTransportOptions {
  /** Stream that receives the lines; in object mode, it receives the infos. */
  readonly stream: Writable
}

const stream: Check = (value, where, problems) => {
  const { write, on } = membersOf(Object(value) as Partial<Writable>, ['write', 'on'])
  if (typeof write === 'function' && typeof on === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a writable stream' })
}
const schema = { ...lineTransportSchema, stream }

/**
 * Writes lines to a stream. For `process.stdout` and `process.stderr`, it writes to the descriptor without blocking, unless other code
 * has replaced their `write`, or they are the streams of a worker thread.
 */
export class StreamTransport extends LineTransport {
  private readonly objects: Writable | undefined

  /** @throws ConfigurationError for invalid options. */
  constructor(given: StreamTransportOptions) {
    const options = checkedTransport('Stream', given, schema, {}, (own, problems) =>
      stream(own.stream, 'transports.Stream.stream', problems),
    )
    const target = options.stream
    const delivery = { ...pickDeliveryOptions(options), level: undefined }
    const standard = asStandardStream(target)
    const takesObjects = member(target, 'writableObjectMode')
    super(
      { ...options, name: options.name ?? 'stream' },
      takesObjects
        ? []
        : [
            () =>
              standard === undefined
                ? streamExporter(target, delivery, jsonLines())
                : standardExporter(standard, delivery),
          ],
    )
    this.objects = takesObjects ? target : undefined
  }

  /** Writes one record, and calls `next` synchronously. */
  override log(info: TransformableInfo, next: Next): void {
    if (this.objects === undefined) return super.log(info, next)
    boundedWrite(this.objects, info, this.name, this.reportFailure)
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info))
    next()
  }
}
