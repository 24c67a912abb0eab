// Types of the lint plugin, with the types of ESLint.
import type { ESLint, Linter, Rule } from 'eslint'
import { defineConfig } from 'eslint/config'
import plugin, { configs, rules, type LintConfig, type LintPlugin } from '../../src/entries/lint.ts'

defineConfig(configs.recommended, { plugins: { sluice: plugin }, rules: { 'sluice/no-console': 'off' } })
const asPlugin: ESLint.Plugin = plugin
// oxlint-disable-next-line no-named-as-default-member -- users write it in this way
const asConfigs: Linter.Config[] = [plugin.configs.recommended]
const asRule: Rule.RuleModule = rules['template-names']
const recommended: LintConfig = configs.recommended
const own: LintPlugin = plugin
// @ts-expect-error there is no such rule
void rules['no-logs']
// @ts-expect-error there is no such configuration
void configs.all
void [asPlugin, asConfigs, asRule, recommended, own]
