/** A file `*.api.json` of api-extractor: the parts that the pages use. */
export interface ApiModel {
  readonly members: readonly [{ readonly members: readonly ApiItem[] }]
}

/** An export, or a member of one. */
export interface ApiItem {
  readonly kind: string
  /** Missing for members such as constructors. */
  readonly name?: string
  readonly canonicalReference: string
  readonly docComment: string
  readonly excerptTokens?: readonly ExcerptToken[]
  readonly fileUrlPath?: string
  readonly isOptional?: boolean
  readonly isProtected?: boolean
  readonly isStatic?: boolean
  readonly propertyTypeTokenRange?: TokenRange
  readonly extendsTokenRanges?: readonly TokenRange[]
  readonly members?: readonly ApiItem[]
}

/** A part of a declaration. A reference has the canonical reference of what its text names. */
export interface ExcerptToken {
  readonly kind: 'Content' | 'Reference'
  readonly text: string
  readonly canonicalReference?: string
}

interface TokenRange {
  readonly startIndex: number
  readonly endIndex: number
}

/** Returns the source text of a declaration or, with a range, of a part of it. */
export function sourceText({ excerptTokens = [] }: ApiItem, range?: TokenRange): string {
  return excerptTokens
    .slice(range?.startIndex, range?.endIndex)
    .map(({ text }) => text)
    .join('')
}
