import type { TestApp, TestRequest, TestRequestInit, TestResponse } from '@waymark/testing'
import { encodeArguments } from '@waymark/testing/build'
import type { StoredAction } from '../server/storedRequest.ts'
import { expectAdmitted, withNeededCookies } from './replayCookies.ts'

/** An error's request, as written by `waymark replay --test`. */
export type ReplayedRequest = TestRequest & {
  readonly path: string
  readonly method?: string
  readonly action?: StoredAction
  /**
   * Names of cookies without which the error doesn't occur. The test fails if one of these cookies is
   * missing.
   */
  readonly neededCookies?: readonly string[]
}

/**
 * Sends an error's request to an app under test, and adds the cookies from `WAYMARK_REPLAY_COOKIES`.
 * @param app app created by `testApp()`
 * @throws an `Error` if a needed cookie is missing, or the request was refused although all cookies
 * were present
 */
export async function replayRequest(
  app: Pick<TestApp, 'send'>,
  { path, action, neededCookies = [], ...request }: ReplayedRequest,
): Promise<TestResponse> {
  const cookies = withNeededCookies(neededCookies, request.cookies)
  const response = await app.send(path, {
    ...request,
    cookies,
    ...(action && callOf(action, request)),
  })
  expectAdmitted(neededCookies, response)
  return response
}

function callOf(action: StoredAction, { headers }: TestRequest): TestRequestInit {
  return {
    method: 'POST',
    headers: { 'waymark-action': action.id, ...headers },
    body: encodeArguments(action.arguments ?? []),
  }
}
