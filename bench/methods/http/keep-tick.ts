import { createHook } from 'node:async_hooks'

/**
 * Retains one of the objects that `process.nextTick` creates. If the garbage collector runs while no such object exists, V8 seems to discard
 * their hidden class: each later tick costs 300 ns more until exit (Node 24.21). A request has at least five ticks, and some servers
 * took 20 % longer at random with the same logger. Every server must call it once, with or without a logger.
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
  if (kept.length === 0) throw new Error('process.nextTick no longer creates a TickObject')
}

const kept: object[] = []
