import { setMember } from '../options/define-member.ts'
import { sdkVersion } from '../record/sdk-version.ts'
import type { LintConfig, LintPlugin } from './lint-types.ts'
import { noConsole } from './rules/no-console.ts'
import { noEagerWork } from './rules/no-eager-work.ts'
import { noTemplateLiteral } from './rules/no-template-literal.ts'
import { templateNames } from './rules/template-names.ts'

/** The name of the plugin, and of the linter's setting for all rules. */
const name = 'sluice'

/** The rules of the plugin. */
export const rules: LintPlugin['rules'] = {
  'no-template-literal': noTemplateLiteral,
  'template-names': templateNames,
  'no-eager-work': noEagerWork,
  'no-console': noConsole,
}

/** The name and the version of the plugin. */
export const meta: LintPlugin['meta'] = { name, version: sdkVersion }

const plugins: Record<string, LintPlugin> = {}
const recommended: LintConfig = {
  name: `${name}/recommended`,
  plugins,
  rules: Object.fromEntries(Object.keys(rules).map((rule) => [`${name}/${rule}`, 'error' as const])),
}

/** The configurations of the plugin: `recommended` enables all rules. */
export const configs: LintPlugin['configs'] = { recommended }

/** The plugin, which is the default export. */
export const plugin: LintPlugin = { meta, rules, configs }
setMember(plugins, name, plugin)
