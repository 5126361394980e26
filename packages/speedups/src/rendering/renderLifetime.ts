/**
 * Stands in for the `AbortController` that React makes for each rendering, and aborts at its end
 * with an error and its stack: a fifth of what a small page costs. Here both are made when they are
 * asked for.
 * @see docs/decisions/rendering-cost.md
 */
export class RenderLifetime {
  // A class, against the rule: React asks for `signal` as a property.
  private controller: AbortController | null = null
  private reasonOf: (() => unknown) | null = null

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController()
      if (this.reasonOf) this.controller.abort(this.reasonOf())
    }
    return this.controller.signal
  }

  abort(reason: unknown): void {
    this.end(() => reason)
  }

  complete(message: string): void {
    this.end(() => new Error(message))
  }

  private end(reasonOf: () => unknown): void {
    if (this.reasonOf) return
    this.reasonOf = reasonOf
    this.controller?.abort(reasonOf())
  }
}
