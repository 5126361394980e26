/**
 * Files that search a message for a pattern, with the reason why the decision can't depend on a
 * code, a property or a class. A message is a sentence for people, and the next version of a
 * program may word it differently.
 */
export const messageReaders: Readonly<Record<string, string>> = {
  // Code that explains errors. If no explanation matches a message, the message itself is shown.
  'packages/devtools/src/explain/explanations.ts':
    "tells apart two of React's errors that have no code, to explain them",
  'packages/devtools/src/warnings/watchWarnings.ts':
    'replaces console.error: React gives its warnings neither a code nor a callback',
  // Code that reads names in a message, after a different property has decided about the kind of
  // error.
  'packages/waymark/src/journal/packageHint.ts':
    "the code of Node's error decides; only its message names the module",
  'packages/waymark/src/vite/dev/explainError.ts':
    'the class of our own error decides; in the journal, only the message names the file',
  'packages/redis/src/tcpClients.ts':
    'in the protocol of Redis, the first word of an error reply is its code, and the client offers it nowhere else',
  'packages/waymark/src/vite/build/packageWarnings.ts':
    'the code of the warning decides; only its message names the directive',
  'packages/i18n/src/build/messageFiles.ts':
    "the class of JSON.parse's error decides; only its message has the position",
  // Code that reads errors of browsers, which have no code.
  'packages/waymark/src/client/assets/modules.ts':
    'in development: browsers throw a TypeError for code that did not arrive, and for mistakes',
  'packages/waymark/src/client/hooks/hasThrown.ts':
    'browsers throw a TypeError for code that did not arrive, and for mistakes',
  'packages/waymark/src/client/errors/errorReporter.ts':
    'events of ResizeObserver and of scripts of other origins have only a message',
  // Code that compares or colours texts that we show.
  'packages/waymark/src/cli/terminal.ts': 'does not repeat a part that the message contains',
  'packages/waymark/src/vite/dev/failures.ts': 'does not repeat a cause that the message contains',
  'packages/waymark/src/vite/dev/overlayParts.ts': 'colours the lines of a diff',
  'packages/waymark/src/vite/dev/moduleErrors.ts':
    'removes the code at the start of the message, which is also a property',
}
