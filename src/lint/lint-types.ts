/** A node of a syntax tree in the ESTree format. */
export interface LintNode {
  /** The type of the node, such as `CallExpression`. */
  readonly type: string
}

/**
 * A lint rule, for ESLint 9 or later and for oxlint. The parameters have types of this package, which the types of ESLint's own API
 * match, so that this package needs no types of ESLint.
 */
export interface LintRule {
  /** What linters read about the rule: its options as a JSON schema, and the texts of its messages. */
  readonly meta: {
    readonly type: 'problem' | 'suggestion'
    readonly docs: { readonly description: string }
    readonly fixable?: 'code'
    readonly hasSuggestions: boolean
    readonly schema: object[]
    readonly messages: Record<string, string>
  }
  /** Returns the functions that check the nodes of a file, by the type of the node. */
  create(context: never): Record<string, (node: LintNode) => void>
}

/** A configuration of ESLint's flat format. */
export interface LintConfig {
  /** The name of the configuration. */
  readonly name: string
  /** The plugin, under its name. */
  readonly plugins: Record<string, LintPlugin>
  /** The severity of each rule. */
  readonly rules: Record<string, 'error'>
}

/** The lint plugin, for ESLint and for oxlint. */
export interface LintPlugin {
  /** The name and the version of the plugin. */
  readonly meta: { readonly name: string; readonly version: string }
  /** The rules by name. */
  readonly rules: Record<'no-template-literal' | 'template-names' | 'no-eager-work' | 'no-console', LintRule>
  /** Configurations of ESLint's flat format. */
  readonly configs: {
    /** Enables all rules as errors. */
    readonly recommended: LintConfig
  }
}
