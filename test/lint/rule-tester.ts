import { describe, it } from '@jest/globals'
import { RuleTester } from 'eslint'
import { rules } from '../../src/entries/lint.ts'

RuleTester.describe = describe as never
RuleTester.it = it as never
RuleTester.itOnly = it.only as never

/** A valid or invalid program: its code after the beginning, and the rule's options. */
export interface RuleCase {
  /** The title, which is the subject of a sentence: "… is accepted" or "… is reported". */
  readonly what: string
  readonly code: string
  readonly options?: object
  readonly settings?: object
}

/** A program with problems. Each has the message's ID and, if there is a suggestion, the code after it. */
export interface InvalidCase extends RuleCase {
  /** Whether the suggestion of the only problem is also a fix, which linters apply. */
  readonly isFixed?: boolean
  readonly errors: readonly { readonly messageId: string; readonly data?: object; readonly suggestion?: string }[]
}

/** Tests a rule with ESLint's own tester. `beginning` precedes the code of each program. */
export function testRule(
  name: keyof typeof rules,
  valid: readonly RuleCase[],
  invalid: readonly InvalidCase[],
  beginning = "import { createLogger } from 'sluice'; const log = createLogger();\n",
): void {
  const tester = new RuleTester({ languageOptions: { ecmaVersion: 2025, sourceType: 'module' } })
  const programOf = ({ code, options, settings }: RuleCase) => ({
    code: beginning + code,
    ...(options === undefined ? {} : { options: [options] }),
    ...(settings === undefined ? {} : { settings: { sluice: settings } }),
  })
  tester.run(name, rules[name], {
    valid: valid.map((each) => ({ ...programOf(each), name: `${each.what} is accepted` })),
    invalid: invalid.map((each) => ({
      ...programOf(each),
      name: `${each.what} is reported`,
      output: each.isFixed === true ? beginning + each.errors[0]!.suggestion! : null,
      errors: each.errors.map(({ messageId, data, suggestion }) => ({
        messageId,
        ...(data === undefined ? {} : { data: data as Record<string, string> }),
        suggestions:
          suggestion === undefined ? [] : [{ messageId: suggestionId(messageId), output: beginning + suggestion }],
      })),
    })),
  })
}

/** Returns the ID of the suggestion of a problem. */
function suggestionId(messageId: string): string {
  return { values: 'replace', missing: 'rename', work: 'lazy', json: 'lazy', console: 'replace' }[messageId]!
}
