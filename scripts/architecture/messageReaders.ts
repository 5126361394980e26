/**
 * Files that search a message for a pattern, and the reason why no code, property or class can decide. A
 * message is a sentence for people, which the next version of its program may word differently.
 */
export const messageReaders: Readonly<Record<string, string>> = {
  // Explanations. If one does not recognise a message, the message itself is shown.
  'packages/devtools/src/explain/explanations.ts':
    "tells two of React's errors apart, which have no code, to explain them",
  'packages/devtools/src/warnings/watchWarnings.ts':
    'replaces console.error: React gives its warnings neither a code nor a callback',
  // Names in a message, after another property has decided about the kind of the error.
  'packages/waymark/src/journal/packageHint.ts':
    "the code of Node's error decides; Node names the module in its message alone",
  'packages/waymark/src/vite/dev/explainError.ts':
    'the class of our own error decides; the file stands in its message alone in the journal',
  'packages/redis/src/redisClients.ts':
    'the first word of a refusal is its code in the protocol of Redis, and the client has no other place for it',
  // Errors of browsers, which have no code.
  'packages/waymark/src/client/assets/modules.ts':
    'in development: browsers throw a TypeError for code that did not arrive, and for mistakes',
  'packages/waymark/src/client/hooks/hasThrown.ts':
    'browsers throw a TypeError for code that did not arrive, and for mistakes',
  'packages/waymark/src/client/errors/errorReporter.ts':
    'events of ResizeObserver and of scripts of other origins have a message alone',
  // Texts that we show: compared with each other, or coloured.
  'packages/waymark/src/cli/terminal.ts': 'prints no part twice that the message holds',
  'packages/waymark/src/vite/dev/failures.ts': 'prints no cause twice that the message holds',
  'packages/waymark/src/vite/dev/overlayParts.ts': 'colours the lines of a difference',
  'packages/waymark/src/vite/dev/moduleErrors.ts':
    'takes away the code that stands in front of the message and is a property, too',
}
