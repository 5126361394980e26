/**
 * Replaces the `AbortController` that React creates for each rendering. At the end of a rendering, React
 * aborts the controller with an error, whose stack is expensive. Creating the controller and the error
 * took a fifth of the rendering time of a small page. This class creates both only when code reads the
 * signal.
 * @see docs/decisions/rendering-cost.md
 */
export class RenderLifetime {
  // Use a class, against our rule, because React reads `signal` as a property.
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
