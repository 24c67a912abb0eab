import type { Payload } from '../methods/burst/variant.ts'
import { censor } from '../subjects/subject.ts'
import { names, secrets } from './payload.ts'
import { againstPino, burstScenario } from './burst-scenario.ts'

export const signIn: Omit<Payload, 'setup'> = {
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

const payload: Payload = { ...signIn, setup: { redact: ['token', 'user.password', 'card.number'] } }

export const redact = burstScenario('Three redacted paths, two of them nested, all of them present', payload, {
  targets: [againstPino(0.3)],
})
