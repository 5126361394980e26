import type { AttackRequest, Body } from './request.ts'

/**
 * Looks for a smaller request that causes the same violation.
 * @param stillFails sends a request, and returns true if the violation happens again
 * @param tries maximum number of attempts
 */
export async function shrink(
  request: AttackRequest,
  stillFails: (smaller: AttackRequest) => Promise<boolean>,
  tries: number,
): Promise<AttackRequest> {
  let smallest = request
  let left = tries
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const candidate of smallerThan(smallest)) {
      if (left-- <= 0) return smallest
      if (!(await stillFails(candidate))) continue
      smallest = candidate
      isSmaller = true
      break
    }
  }
  return smallest
}

/**
 * Returns smaller variants of a request: without a header, without a part, or with half of the
 * query or body.
 */
export function smallerThan(request: AttackRequest): AttackRequest[] {
  const { headers, target, body, isChunked, behaviour } = request
  const calm = behaviour === 'stays' ? [] : [{ ...request, behaviour: 'stays' as const }]
  const plain = isChunked ? [{ ...request, isChunked: false }] : []
  const withFewerHeaders = headers.map((_, at) => ({ ...request, headers: without(headers, at) }))
  const bodies = smallerBodies(body).map((smaller) => ({ ...request, body: smaller }))
  const targets = shorterTargets(target).map((shorter) => ({ ...request, target: shorter }))
  // Remove `Host` last, because a request without it is invalid.
  return [...calm, ...plain, ...bodies, ...targets, ...withFewerHeaders.toReversed()]
}

function smallerBodies(body: Body): Body[] {
  switch (body.kind) {
    case 'none':
      return []
    case 'text': {
      const half = { ...body, text: body.text.slice(0, body.text.length >> 1) }
      return body.text.length > 200 ? [{ kind: 'none' }, half] : [{ kind: 'none' }]
    }
    case 'multipart':
      return body.parts.map((_, at) => ({ ...body, parts: without(body.parts, at) }))
  }
}

function shorterTargets(target: string): string[] {
  const mark = target.indexOf('?')
  if (mark === -1) return []
  const query = target.slice(mark + 1)
  const path = target.slice(0, mark)
  return query.length > 8 ? [path, `${path}?${query.slice(0, query.length >> 1)}`] : [path]
}

function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, index) => index !== at)
}
