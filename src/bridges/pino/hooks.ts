import type { OnProblem } from '../../record/problems.ts'
import { troubleTo as allTroubleTo, type Trouble } from '../trouble.ts'

export type { Trouble }

export function troubleTo(onProblem: OnProblem | undefined): Trouble {
  return allTroubleTo(onProblem, 'SLUICE_PINO_HOOK_THREW')
}
