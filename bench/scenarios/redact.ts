import { censor } from '../subjects/subject.ts'
import { names, secrets } from './payload.ts'
import type { Scenario } from './scenario.ts'
import { burst, rivals, targets } from './usual.ts'

export const redact: Scenario = {
  question: 'Three redacted paths, two of them nested, all of them hit',
  ...burst,
  setup: { redact: ['token', 'user.password', 'card.number'] },
  rivals,
  targets: targets(0.3),
  run(log, from, to) {
    for (let i = from; i < to; i++) {
      const secret = secrets[i % secrets.length]
      log.attributes('signed in', {
        seq: i,
        token: secret,
        user: { name: names[i % names.length], password: secret },
        card: { brand: 'visa', number: secret },
      })
    }
  },
  expected: (i) => ({
    message: 'signed in',
    attributes: {
      seq: i,
      token: censor,
      user: { name: names[i % names.length], password: censor },
      card: { brand: 'visa', number: censor },
    },
  }),
}
