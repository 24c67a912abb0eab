/** The addresses of a project, from which all others are derived. */
export interface Repository {
  /** The address of its page, without a slash at the end. */
  readonly url: string
}

/**
 * Returns the repository that environment variables name: `PACKAGE_REPOSITORY`, or those of GitHub Actions and GitLab CI. Undefined if
 * none is set.
 *
 * @throws Error when the value is not an HTTPS address.
 */
export function repositoryOf(environment: Readonly<Record<string, string | undefined>>): Repository | undefined {
  const { PACKAGE_REPOSITORY, GITHUB_SERVER_URL, GITHUB_REPOSITORY, CI_PROJECT_URL } = environment
  const github = GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined
  const given = PACKAGE_REPOSITORY || github || CI_PROJECT_URL || undefined
  if (given === undefined) return undefined
  const url = given.replace(/\/+$/, '').replace(/\.git$/, '')
  if (!URL.canParse(url) || !/^https:\/\/[^/]+\/.+/.test(url)) {
    throw new Error(
      `the repository ${JSON.stringify(given)} is not the HTTPS address of its page; set PACKAGE_REPOSITORY to one`,
    )
  }
  return { url }
}

/** Returns the fields of package.json that name the repository. */
export function manifestFields({ url }: Repository) {
  return {
    homepage: `${url}#readme`,
    bugs: { url: `${url}/issues` },
    repository: { type: 'git', url: `git+${url}.git` },
  }
}

/** Returns a Markdown page of the root directory with absolute links to the files of the repository. */
export function withAbsoluteLinks(page: string, { url }: Repository): string {
  return page
    .replaceAll(/(!\[[^\]]*\]\()(?![a-z]+:|#)([^)\s]+)/g, `$1${url}/raw/HEAD/$2`)
    .replaceAll(/(?<=(?<!!\[[^\]]*)\]\()(?![a-z]+:|#)([^)\s]+)/g, `${url}/blob/HEAD/$1`)
}
