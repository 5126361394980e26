/** What became of a request on its way, when no answer of the site came of it. */
export type TransportFault =
  /** The connection failed, or the person is offline. */
  | 'network'
  /** Something else answered: a gateway, a portal. */
  | 'foreign'
  /** The answer was cut or changed on its way. */
  | 'broken'

/** A call that no answer of the site came of. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure'
  readonly fault: TransportFault

  constructor(fault: TransportFault) {
    super(`A server action was not answered: ${fault}.`)
    this.fault = fault
  }
}
