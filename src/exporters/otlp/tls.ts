import { readFileSync, statSync } from 'node:fs'
import { either, list, options, text, type Check } from '../../options/option-checks.ts'
import { member } from '../../options/own-members.ts'

/** Certificates and keys, as PEM text or bytes, or as paths of PEM files, which are read again when they change. */
export interface OtlpTls {
  /** The authorities that the server's certificate is checked against. Default: those of Node. */
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** The path of a file with them. */
  readonly caFile?: string
  /** This client's certificate, where the server asks for one (mTLS). */
  readonly cert?: string | Uint8Array
  /** The path of a file with it. */
  readonly certFile?: string
  /** Its private key. */
  readonly key?: string | Uint8Array
  /** The path of a file with it. */
  readonly keyFile?: string
  /** What the private key is encrypted with. */
  readonly passphrase?: string
  /** The name that the server's certificate must have. Default: the host of the URL. */
  readonly servername?: string
}

const bytes: Check = (value, where, problems) => {
  if (!(value instanceof Uint8Array))
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be bytes' })
}
const pem = either('PEM text or bytes', text(/./), bytes)

/** The checks of `OtlpTls`. */
export const tlsOptions: Check = options({
  ca: either('PEM text or bytes, or an array of them', pem, list(pem)),
  caFile: text(/./, 'name a file'),
  cert: pem,
  certFile: text(/./, 'name a file'),
  key: pem,
  keyFile: text(/./, 'name a file'),
  passphrase: text(),
  servername: text(/./, 'name a host'),
} satisfies Record<keyof OtlpTls, Check>)

/** A file could not be read. */
export class TlsFileError extends Error {}

/** What a TLS connection is made with, at each request: a renewed certificate is used from the next connection on. */
export class TlsSource {
  private readonly given: OtlpTls
  private readonly files = new Map<string, { readonly version: string; readonly content: string }>()

  constructor(given: OtlpTls) {
    this.given = given
  }

  /** Options of `tls.connect`. Throws a `TlsFileError`. */
  read(): Readonly<Record<string, unknown>> {
    const { ca, caFile, cert, certFile, key, keyFile, passphrase, servername } = this.given
    const all = {
      ca: ca ?? this.content(caFile),
      cert: cert ?? this.content(certFile),
      key: key ?? this.content(keyFile),
      passphrase,
      servername,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  private content(path: string | undefined): string | undefined {
    if (path === undefined) return undefined
    try {
      const { mtimeMs, size, ino } = statSync(path)
      const version = `${mtimeMs} ${size} ${ino}`
      const known = this.files.get(path)
      if (known?.version === version) return known.content
      const content = readFileSync(path, 'utf8')
      this.files.set(path, { version, content })
      return content
    } catch (error) {
      throw new TlsFileError(
        `cannot read a file of its TLS options (${member(error as NodeJS.ErrnoException, 'code') ?? 'Error'})`,
      )
    }
  }
}
