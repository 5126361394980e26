import type { CompleteTexts } from 'waymark/server'

const reloadOrBack = 'Rechargez la page pour réessayer, ou revenez en arrière.'

/** French texts of the core's screens and notices. */
export const fr: CompleteTexts = {
  notices: {
    slow: 'Cette page met plus de temps que d’habitude à s’afficher.',
    stillLoading: 'Cette page est encore en cours de chargement.',
    needsReload:
      'Pour ouvrir cette page, le site doit être rechargé. Vous perdriez ce que vous avez saisi ici.',
    failed: 'Impossible de charger cette page. Nouvelle tentative dans un instant.',
    offline: 'Vous êtes hors ligne. La page se chargera dès que vous serez de nouveau en ligne.',
    missingCode: 'Une partie de cette page n’a pas pu être chargée.',
    missingActions:
      'L’envoi a échoué, car une partie de cette page n’a pas pu être chargée. Tout ce que vous avez saisi est encore là.',
    redirectLoop: 'Impossible de charger cette page, car elle redirige en boucle.',
    refused: 'Impossible de charger cette page. Le serveur a refusé la requête (code {status}).',
    cookiesTooLarge:
      'Impossible de charger cette page, car les cookies de ce site sont trop volumineux. Si vous les supprimez, vous devrez peut-être vous reconnecter.',
    clearCookies: 'Supprimer les cookies',
    keepWaiting: 'Continuer à attendre',
    reload: 'Recharger',
    open: 'Ouvrir la page',
    retry: 'Réessayer',
    cancel: 'Annuler',
  },
  otherHttp: { heading: 'Une erreur inattendue s’est produite', sentence: reloadOrBack },
  clientError: {
    heading:
      'Erreur de l’application\u00A0: une erreur s’est produite dans le navigateur lors du chargement de {host} (la console du navigateur contient plus de détails).',
    sentence: reloadOrBack,
  },
  serverError: {
    heading:
      'Erreur de l’application\u00A0: une erreur s’est produite sur le serveur lors du chargement de {host} (le journal du serveur contient plus de détails).',
    sentence: reloadOrBack,
  },
  statusTitle: '{status}\u00A0: {heading}',
  clientErrorTitle: 'Erreur de l’application\u00A0: une erreur s’est produite dans le navigateur',
  serverErrorTitle: 'Erreur de l’application\u00A0: une erreur s’est produite sur le serveur',
  digest: 'Identifiant de l’erreur\u00A0: {digest}',
  reload: 'Recharger',
  back: 'Retour',
  home: 'Accueil',
  sizeLimit: 'La limite est de {limit}.',
  sizes: { bytes: '{size} octets', kilobytes: '{size} ko', megabytes: '{size} Mo' },
  clearCookies: 'Supprimer les cookies de ce site',
  http: {
    400: {
      heading: 'Requête incorrecte',
      sentence:
        'Le serveur n’a pas pu comprendre la requête. Vérifiez que l’adresse ne contient pas d’erreur.',
    },
    401: {
      heading: 'Vous n’avez pas accès à cette page.',
      sentence: 'Connectez-vous avec un compte qui y a accès, puis réessayez.',
    },
    403: {
      heading: 'L’accès à cette page est refusé.',
      sentence: 'Vous n’avez pas l’autorisation de consulter cette page.',
    },
    404: {
      heading: 'Cette page est introuvable.',
      sentence:
        'L’adresse contient peut-être une faute de frappe, ou la page a été déplacée ou supprimée.',
    },
    405: {
      heading: 'Méthode non autorisée',
      sentence: 'Cette adresse n’accepte pas ce type de requête.',
    },
    406: {
      heading: 'Aucun format acceptable',
      sentence:
        'Le serveur ne peut envoyer cette page dans aucun des formats acceptés par votre navigateur.',
    },
    408: {
      heading: 'La requête a pris trop de temps',
      sentence:
        'Une partie de la requête n’est pas arrivée. Vérifiez votre connexion, puis réessayez.',
    },
    409: {
      heading: 'Cette page n’est plus à jour',
      sentence:
        'Revenez en arrière et rechargez la page. Vérifiez si votre saisie a été enregistrée avant de l’envoyer de nouveau.',
    },
    411: {
      heading: 'Longueur requise',
      sentence: 'La requête n’indique pas sa longueur. Rechargez la page pour réessayer.',
    },
    412: {
      heading: 'Cette page n’est plus à jour',
      sentence:
        'Elle a changé depuis que votre navigateur l’a chargée. Rechargez-la pour voir la version actuelle.',
    },
    413: {
      heading: 'Votre envoi est trop volumineux',
      sentence:
        'Revenez en arrière et choisissez un fichier plus petit ou raccourcissez votre texte. Tout ce que vous avez saisi y est encore.',
    },
    414: {
      heading: 'Cette adresse est trop longue',
      sentence:
        'Vérifiez que l’adresse ne contient pas d’erreur, ou repartez de la page d’accueil.',
    },
    415: {
      heading: 'Le serveur ne peut pas lire ce type de contenu',
      sentence:
        'Revenez en arrière et réessayez. Si vous aviez choisi un fichier, choisissez-en un d’un autre type.',
    },
    416: {
      heading: 'Plage non disponible',
      sentence: 'Cette partie du fichier n’existe pas. Rechargez pour obtenir le fichier entier.',
    },
    417: {
      heading: 'Attente non satisfaite',
      sentence:
        'Le serveur ne peut pas faire ce que la requête attend de lui. Rechargez la page pour réessayer.',
    },
    422: {
      heading: 'Une de vos saisies n’est pas valide',
      sentence: 'Revenez en arrière, vérifiez vos saisies, puis envoyez-les de nouveau.',
    },
    429: {
      heading: 'Trop de requêtes',
      sentence: 'Patientez un instant, puis rechargez la page.',
    },
    431: {
      heading: 'Les cookies de ce site sont trop volumineux',
      sentence:
        'Votre navigateur envoie plus de cookies que le serveur n’en accepte. Supprimez-les pour continuer. Vous devrez peut-être vous reconnecter.',
    },
    500: {
      heading: 'Erreur interne du serveur',
      sentence: 'Un problème est survenu sur le serveur. Rechargez la page pour réessayer.',
    },
    503: {
      heading: 'Ce site est surchargé',
      sentence: 'Il ne peut pas afficher cette page pour le moment. Rechargez-la dans un instant.',
    },
    504: {
      heading: 'L’opération a pris trop de temps',
      sentence:
        'Le serveur l’a interrompue, mais une partie a peut-être déjà été effectuée. Revenez en arrière et vérifiez avant de réessayer.',
    },
  },
  actions: {
    network: 'L’envoi a échoué. Tout ce que vous avez saisi est encore là.',
    foreign:
      'L’envoi a échoué, car la réponse ne provenait pas de ce site. Tout ce que vous avez saisi est encore là.',
    broken:
      'La réponse est arrivée incomplète. Vous pouvez réessayer sans risque\u00A0: rien ne sera fait deux fois.',
    refused:
      'L’envoi a échoué. Le serveur l’a refusé (code {status}). Tout ce que vous avez saisi est encore là.',
    cookiesTooLarge:
      'L’envoi a échoué, car les cookies de ce site sont trop volumineux. Supprimez-les dans les réglages de votre navigateur, puis recommencez l’envoi. Tout ce que vous avez saisi est encore là.',
    late: 'Pas encore de réponse. Vous pouvez réessayer sans risque\u00A0: rien ne sera fait deux fois.',
    offline:
      'Vous êtes hors ligne. Tout ce que vous avez saisi est encore là et sera envoyé dès que vous serez de nouveau en ligne.',
    many: '{count} saisies n’ont pas pu être envoyées. Elles sont toutes encore là.',
    failed: 'L’opération a échoué. Tout ce que vous avez saisi est encore là.',
    updated: 'Ce site a été mis à jour et ce formulaire n’existe plus.',
    restored:
      'Ce site a été mis à jour et la page a été rechargée. Tout ce que vous avez saisi est encore là. Envoyez-le de nouveau.',
    foreignOrigin: 'Cet envoi n’est possible que depuis ce site.',
    otherUser:
      'Une autre personne s’est connectée dans ce navigateur. Tout ce que vous avez saisi est encore là. Reconnectez-vous pour l’envoyer.',
    resultGone: 'L’opération a déjà été effectuée. Rechargez la page pour voir le résultat.',
    tooLarge:
      'Votre envoi est trop volumineux. Choisissez un fichier plus petit ou raccourcissez votre texte.',
    sizeLimit: 'La limite est de {limit}.',
    timeout:
      'L’opération a pris trop de temps et a été interrompue. Une partie a peut-être déjà été effectuée.',
    wait: 'Continuer à attendre',
    retry: 'Réessayer',
    dismiss: 'Fermer',
    ok: 'OK',
  },
  files: {
    onlyOne: 'Choisissez un seul fichier.',
    tooMany: 'Choisissez {count} fichiers au maximum.',
    tooLarge: '{name} dépasse {limit}.',
    empty: '{name} est vide.',
    type: '{name} n’a pas le bon format. Formats acceptés\u00A0: {types}.',
  },
  theme: {
    select: { label: 'Thème', names: { system: 'Système', light: 'Clair', dark: 'Sombre' } },
    toggle: {
      label: 'Thème\u00A0: {state}. Passer à\u00A0: {next}.',
      names: { system: 'système', light: 'clair', dark: 'sombre', other: 'autre' },
    },
  },
}
