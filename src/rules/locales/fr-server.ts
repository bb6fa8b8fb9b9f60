/** The French texts that no script of a page has: of fields, mails and HTML; for developers. */
export const server = {
  'svc::auth.field.email.required': 'Saisissez votre adresse e-mail.',
  'svc::auth.field.password.required': 'Saisissez votre mot de passe.',
  'svc::auth.field.type': 'Envoyez ce champ sous forme de texte.',
  'svc::auth.field.length_one': 'Utilisez au plus {{count}} caractère.',
  'svc::auth.field.length_many': 'Utilisez au plus {{count}} caractères.',
  'svc::auth.field.length_other': 'Utilisez au plus {{count}} caractères.',
  'svc::auth.field.characters': 'Retirez les caractères qui ne peuvent pas être utilisés ici.',
  'svc::auth.field.code.required': 'Saisissez votre code.',
  'svc::auth.field.panel.unknown': 'Nommez l’un des panneaux de ce service.',
  'svc::auth.field.device.required': 'Saisissez un nom pour l’application.',
  'svc::auth.field.token.required': 'Ouvrez à nouveau le lien reçu par e-mail.',
  'svc::auth.field.current_password.required': 'Saisissez votre mot de passe actuel.',
  'svc::auth.field.password.short_one': 'Utilisez au moins {{count}} caractère.',
  'svc::auth.field.password.short_many':
    'Utilisez au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'svc::auth.field.password.short_other':
    'Utilisez au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'svc::auth.field.password.repeated':
    'Ce mot de passe répète les mêmes caractères. Choisissez-en un autre.',
  'svc::auth.field.password.personal':
    'N’utilisez ni votre adresse e-mail, ni votre nom, ni le nom du panneau. Choisissez un autre mot de passe.',
  'svc::auth.field.password.common': 'Ce mot de passe est très répandu. Choisissez-en un autre.',
  'svc::auth.field.password.refused':
    'Ce mot de passe ne peut pas être utilisé ici. Choisissez-en un autre.',
  'svc::auth.origin_unlisted':
    'L’origine {{origin}} n’est pas déclarée. Si c’est l’adresse du panneau, donnez-la à app.url (APP_URL) ; sinon, ajoutez « {{entry}} » à session_auth.stateful. Redémarrez ensuite le service.',
  'svc::auth.body_consumed':
    'Un autre analyseur a déjà lu le corps de cette requête. Montez le service avant lui.',
  'ui.noscript':
    'Ce panneau a besoin de JavaScript. Activez-le dans votre navigateur et rechargez la page.',
  'ui.boot.slow': 'Le chargement prend plus de temps que d’habitude.',
  'mail.verify.subject': 'Vérifiez votre adresse e-mail pour {{panel}}',
  'mail.verify.intro': 'Confirmez qu’il s’agit bien de votre adresse e-mail.',
  'mail.verify.button': 'Vérifier l’adresse e-mail',
  'mail.verify.lifetime_one':
    'Le lien est valable {{count}} minute. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail.',
  'mail.verify.lifetime_many':
    'Le lien est valable {{count}} minutes. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail.',
  'mail.verify.lifetime_other':
    'Le lien est valable {{count}} minutes. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail.',

  'mail.reset.subject': 'Choisissez un nouveau mot de passe pour {{panel}}',
  'mail.reset.intro': 'Ce lien vous permet de choisir un nouveau mot de passe.',
  'mail.reset.button': 'Choisir un nouveau mot de passe',
  'mail.reset.lifetime_one':
    'Le lien fonctionne une seule fois, pendant {{count}} minute. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste le même.',
  'mail.reset.lifetime_many':
    'Le lien fonctionne une seule fois, pendant {{count}} minutes. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste le même.',
  'mail.reset.lifetime_other':
    'Le lien fonctionne une seule fois, pendant {{count}} minutes. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail : votre mot de passe reste le même.',

  'mail.invite.subject': 'Votre compte pour {{panel}}',
  'mail.invite.intro': 'Un compte vous attend. Choisissez votre mot de passe pour l’utiliser.',
  'mail.invite.button': 'Choisir votre mot de passe',
  'mail.invite.lifetime_one':
    'Le lien fonctionne une seule fois, pendant {{count}} jour. Si vous n’attendez pas de compte, ignorez cet e-mail.',
  'mail.invite.lifetime_many':
    'Le lien fonctionne une seule fois, pendant {{count}} jours. Si vous n’attendez pas de compte, ignorez cet e-mail.',
  'mail.invite.lifetime_other':
    'Le lien fonctionne une seule fois, pendant {{count}} jours. Si vous n’attendez pas de compte, ignorez cet e-mail.',

  'mail.changed.subject': 'Votre mot de passe pour {{panel}} a été modifié',
  'mail.changed.intro':
    'Votre mot de passe a été modifié. Si c’était vous, il n’y a rien à faire : vos autres sessions ont pris fin.',
  'mail.changed.button': 'Choisir un nouveau mot de passe',
  'mail.changed.undo':
    'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe avec ce lien, et prévenez les responsables de {{panel}}.',

  'mail.new_login.subject': 'Nouvelle connexion à {{panel}}',
  'mail.new_login.intro':
    'Quelqu’un s’est connecté à votre compte : {{browser}}, réseau {{network}}, {{time}}. Si c’était vous, il n’y a rien à faire.',
  'mail.new_login.button': 'Ce n’était pas moi',
  'mail.new_login.closing_one':
    'Si ce n’était pas vous, ouvrez ce lien. Vous pourrez alors mettre fin à toutes les sessions de votre compte. Le lien fonctionne une seule fois, pendant {{count}} jour.',
  'mail.new_login.closing_many':
    'Si ce n’était pas vous, ouvrez ce lien. Vous pourrez alors mettre fin à toutes les sessions de votre compte. Le lien fonctionne une seule fois, pendant {{count}} jours.',
  'mail.new_login.closing_other':
    'Si ce n’était pas vous, ouvrez ce lien. Vous pourrez alors mettre fin à toutes les sessions de votre compte. Le lien fonctionne une seule fois, pendant {{count}} jours.',
  'mail.new_login.bell_title': 'Connexion d’un nouvel endroit : {{browser}}',
  'mail.new_login.bell_body':
    'Réseau {{network}}. Si ce n’était pas vous, mettez fin à cette session et choisissez un nouveau mot de passe.',
  'mail.new_login.browser_on': '{{browser}} sur {{system}}',
  'mail.new_login.unknown_browser': 'Navigateur inconnu',
  'mail.new_login.unknown_network': 'inconnu',
}
