/** An error whose status and message are sent to the client. */
export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const maxPathLength = 100

/** Returns the error for a path that the server does not have. */
export function notFound(path: string): HttpError {
  return new HttpError(404, `there is no ${path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path}`)
}
