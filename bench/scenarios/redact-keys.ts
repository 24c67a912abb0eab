import type { Payload } from '../methods/burst/variant.ts'
import { signIn } from './redact.ts'
import { againstPino, burstScenario } from './burst-scenario.ts'

const payload: Payload = { ...signIn, setup: { redactKeys: ['token', 'password', 'number'] } }

export const redactKeys = burstScenario(
  'Three keys redacted at any depth; pino uses wildcards for three levels of each',
  payload,
  {
    targets: [againstPino(0.3)],
    more: { file: ['tslog'] },
  },
)
