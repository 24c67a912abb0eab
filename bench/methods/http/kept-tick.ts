import { createHook } from 'node:async_hooks'

/**
 * Keeps one of the objects that `process.nextTick` makes. When the collector runs in a moment in which there is none, it seems that V8
 * forgets their shape: each later tick costs 300 ns more, until the process ends (Node 24.21). A request has five ticks or more, and by
 * chance some servers took 20 % longer than others with the same log. To be called once by every server, with or without a log.
 */
export function keepTick(): void {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === 'TickObject') kept.push(resource)
    },
  })
  hook.enable()
  process.nextTick(() => {})
  hook.disable()
  if (kept.length === 0) throw new Error('process.nextTick makes no TickObject any more')
}

const kept: object[] = []
