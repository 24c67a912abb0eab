import type { Payload } from '../methods/burst/variant.ts'
import { names, paths } from './payload.ts'
import { againstPino, wellKnown, burstScenario } from './burst-scenario.ts'

/** Five levels, 27 values, two arrays. */
function order(index: number): object {
  return {
    seq: index,
    order: {
      id: 70_000 + index,
      path: paths[index % paths.length],
      customer: {
        name: names[index % names.length],
        verified: true,
        address: {
          city: 'Lisbon',
          zip: '1100-148',
          geo: { lat: 38.7223, lon: -9.1393, source: { kind: 'ip', age: null } },
        },
      },
      items: [
        { sku: 'A-100', quantity: 2, price: 19.9 },
        { sku: 'B-200', quantity: 1, price: 5.25 },
        { sku: 'C-300', quantity: 12, price: 0.4 },
      ],
      tags: ['new', 'gift', 'express'],
      total: 49.85,
      paid: false,
    },
  }
}

const payload: Payload = {
  setup: {},
  run(log, from, to) {
    for (let i = from; i < to; i++) log.attributes('order placed', order(i))
  },
  expected: (i) => ({ message: 'order placed', attributes: order(i) }),
}

export const deep = burstScenario('An object of five levels with two arrays', payload, {
  targets: [againstPino(0.45)],
  more: { file: wellKnown },
})
