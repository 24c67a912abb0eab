import type { Writable } from 'node:stream'
import { jsonLines } from '../../../encode/json/json-lines.ts'
import { pickDeliveryOptions } from '../../../exporters/exporter-options.ts'
import type { Check } from '../../../options/option-checks.ts'
import { asStandardStream } from '../../../platform/node/standard-streams.ts'
import type { TransformableInfo } from '../info.ts'
import { boundedWrite } from './bounded-write.ts'
import { checkedTransportOptions } from './checked-transport-options.ts'
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

const checkStream: Check = (value, where, problems) => {
  const { write, on } = membersOf(Object(value) as Partial<Writable>, ['write', 'on'])
  if (typeof write === 'function' && typeof on === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a writable stream' })
}
const schema = { ...lineTransportSchema, stream: checkStream }

/**
 * Writes lines to a stream, or infos to one in object mode. For `process.stdout` and `process.stderr`, it
 * writes to the descriptor without blocking, unless other code has replaced their `write`, or they are the streams of a worker thread.
 */
export class StreamTransport extends LineTransport {
  /** The stream if it is in object mode. */
  private readonly objectStream: Writable | undefined

  /** @throws ConfigurationError for invalid options. */
  constructor(given: StreamTransportOptions) {
    const options = checkedTransportOptions('Stream', given, schema, {}, (own, problems) =>
      checkStream(own.stream, 'transports.Stream.stream', problems),
    )
    const target = options.stream
    const delivery = { ...pickDeliveryOptions(options), level: undefined }
    const standard = asStandardStream(target)
    const isObjectMode = member(target, 'writableObjectMode')
    super(
      { ...options, name: options.name ?? 'stream' },
      isObjectMode
        ? []
        : [
            () =>
              standard === undefined
                ? streamExporter(target, delivery, jsonLines())
                : standardExporter(standard, delivery),
          ],
    )
    this.objectStream = isObjectMode ? target : undefined
  }

  /** Writes or queues one record, and calls `next` synchronously. */
  override log(info: TransformableInfo, next: Next): void {
    if (this.objectStream === undefined) return super.log(info, next)
    boundedWrite(this.objectStream, info, this.name, this.reportFailure)
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info))
    next()
  }
}
