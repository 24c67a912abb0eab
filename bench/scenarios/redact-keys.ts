import type { Payload } from '../methods/burst/variant.ts'
import { signIn } from './redact.ts'
import { againstPino, usual } from './usual.ts'

const payload: Payload = { ...signIn, setup: { redactKeys: ['token', 'password', 'number'] } }

export const redactKeys = usual(
  'Three keys redacted at any depth; pino has three levels of wildcards for each',
  payload,
  {
    targets: [againstPino(0.3)],
    more: { file: ['tslog'] },
  },
)
