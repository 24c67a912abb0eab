import type { ServerResponse } from 'node:http'
import { notFound } from './http-error.ts'

/** A file of the page. */
export interface PageFile {
  readonly type: string
  readonly content: string
}

/** The policy of the page: it loads nothing from other servers, and runs no code but its file. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Answers requests for the page and its files. */
export class PageFiles {
  private readonly files: ReadonlyMap<string, PageFile>

  /** @param files - the files by path; `/` is the page */
  constructor(files: ReadonlyMap<string, PageFile>) {
    this.files = files
  }

  has(path: string): boolean {
    return this.files.has(path)
  }

  /** @throws HttpError if there is no such file. */
  answer(path: string, response: ServerResponse): void {
    const file = this.files.get(path)
    if (file === undefined) throw notFound(path)
    response.writeHead(200, {
      'content-type': file.type,
      'content-length': Buffer.byteLength(file.content),
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    })
    response.end(file.content)
  }
}
