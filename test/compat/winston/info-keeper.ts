import { MESSAGE, type TransformableInfo } from '../../../src/compat/winston/info.ts'
import { Transport, type Next, type TransportOptions } from '../../../src/compat/winston/transports/transport.ts'

/** A transport that stores the infos that it receives. */
class Keeping extends Transport {
  readonly infos: TransformableInfo[] = []

  override log(info: TransformableInfo, next: Next): void {
    this.infos.push(info)
    next()
  }
}

/** Creates a transport that stores its infos. */
export function infoKeeper(options?: TransportOptions): {
  readonly transport: Transport
  readonly infos: readonly TransformableInfo[]
  lines(): string[]
} {
  const transport = new Keeping(options)
  return { transport, infos: transport.infos, lines: () => transport.infos.map((info) => String(info[MESSAGE])) }
}
