import type { LintPlugin } from '../lint/lint-types.ts'
import { plugin } from '../lint/plugin.ts'

export { configs, meta, rules } from '../lint/plugin.ts'
export type { LintConfig, LintNode, LintPlugin, LintRule } from '../lint/lint-types.ts'

/** The lint plugin, for `plugins` of ESLint's flat configuration and for `jsPlugins` of oxlint. */
const lint: LintPlugin = plugin

export default lint
