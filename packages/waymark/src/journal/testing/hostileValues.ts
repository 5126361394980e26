/** Returns thrown values that make careless code fail, with their names. */
export function hostileValues(): [name: string, thrown: unknown][] {
  const cyclic = new Error('cyclic')
  cyclic.cause = new Error('its cause', { cause: cyclic })
  const self = new Error('its own cause')
  self.cause = self
  return [
    ['a string', 'text'],
    ['an empty string', ''],
    ['null', null],
    ['undefined', undefined],
    ['a number', 42],
    ['a bigint', 10n],
    ['a symbol', Symbol('s')],
    ['a function', () => 'source'],
    ['an object', { status: 418, secret: 'hunter2' }],
    ['an object without a prototype', Object.create(null)],
    ['an array', [1, 2]],
    ['getters that throw', objectOfThrowingGetters()],
    ['a frozen error', Object.freeze(new Error('frozen'))],
    ['toString that throws', Object.assign(new Error('said'), { toString: fail })],
    ['a stack that throws', Object.defineProperty(new Error('said'), 'stack', { get: fail })],
    ['a message that throws', Object.defineProperty(new Error(), 'message', { get: fail })],
    ['a message that is no text', Object.assign(new Error(), { message: { a: 1 } })],
    ['a stack that is no text', Object.assign(new Error('said'), { stack: 7 })],
    ['a name that is no text', Object.assign(new Error('said'), { name: 7 })],
    ['a 10 MB message', new Error('x'.repeat(10_000_000))],
    ['a cyclic cause', cyclic],
    ['a cause that is itself', self],
    ['a long chain of causes', chain(100)],
    ['an AggregateError', new AggregateError([new Error('one'), 'two', null], 'several')],
    ['errors that are no array', Object.assign(new Error('said'), { errors: 7 })],
    ['a proxy whose traps throw', new Proxy(new Error('said'), throwingTraps)],
    ['a revoked proxy', revokedProxy()],
    ['a digest of its own', Object.assign(new Error('said'), { digest: 'mine' })],
    ['a digest that throws', Object.defineProperty(new Error('said'), 'digest', { get: fail })],
  ]
}

function fail(): never {
  throw new Error('a trap')
}

const throwingTraps: ProxyHandler<Error> = {
  get: fail,
  has: fail,
  ownKeys: fail,
  getPrototypeOf: fail,
  getOwnPropertyDescriptor: fail,
}

function objectOfThrowingGetters(): unknown {
  const names = ['name', 'message', 'stack', 'cause', 'code', 'errors', 'constructor']
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { get: fail }])))
}

function chain(length: number): Error {
  let error = new Error('the innermost')
  for (let at = 0; at < length; at++) error = new Error(`level ${at}`, { cause: error })
  return error
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
