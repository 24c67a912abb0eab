// The logger without Node: `globalThis.logByCore(url)` logs to the console and with fetch, and resolves to the delivery statistics.
import { consoleExporter, createLogger, fetchExporter } from 'sluice/core'

globalThis.logByCore = async (url) => {
  const exporter = [consoleExporter(), fetchExporter({ url })]
  const log = createLogger({ name: 'core', redact: ['card.number'], exporter })
  for (let seq = 0; seq < 200; seq++) log.info('order {seq} placed', { seq, card: { number: 'canary' } })
  log.error('could not charge', { headers: { authorization: 'canary' } }, new TypeError('card declined'))
  const { ok } = await log.shutdown()
  return { ok, ...log.stats() }
}
