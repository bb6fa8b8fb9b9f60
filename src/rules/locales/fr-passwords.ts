/** The French texts of the passwords layer: its refusals and its mails. */
export const passwordTexts = {
  'svc::auth.password_incorrect':
    'Votre mot de passe actuel est incorrect. Vérifiez-le et réessayez.',
  'svc::auth.password_link_invalid':
    'Ce lien a expiré ou a déjà été utilisé. Demandez-en un nouveau.',
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

  'ui.reason.password_changed': 'Votre mot de passe est modifié. Connectez-vous avec le nouveau.',
  'ui.forgot.title': 'Réinitialisez votre mot de passe',
  'ui.forgot.intro_one':
    'Saisissez votre adresse e-mail. Si elle correspond à un compte, nous envoyons un lien valable {{count}} minute.',
  'ui.forgot.intro_many':
    'Saisissez votre adresse e-mail. Si elle correspond à un compte, nous envoyons un lien valable {{count}} minutes.',
  'ui.forgot.intro_other':
    'Saisissez votre adresse e-mail. Si elle correspond à un compte, nous envoyons un lien valable {{count}} minutes.',
  'ui.forgot.submit': 'Envoyer le lien',
  'ui.forgot.sent_title': 'Consultez vos e-mails',
  'ui.forgot.sent': 'Si {{email}} correspond à un compte, un lien est en route.',
  'ui.forgot.nothing': 'Rien reçu ? Regardez dans vos courriers indésirables, ou renvoyez le lien.',
  'ui.new_password.title': 'Choisissez un nouveau mot de passe',
  'ui.new_password.first_title': 'Choisissez votre mot de passe',
  'ui.new_password.intro': 'Pour le compte de {{email}}.',
  'ui.new_password.welcome':
    'Bienvenue. Avec ce mot de passe, vous vous connectez en tant que {{email}}.',
  'ui.new_password.label': 'Nouveau mot de passe',
  'ui.new_password.rule_one':
    'Au moins {{count}} caractère. Quelques mots faciles à retenir conviennent bien.',
  'ui.new_password.rule_many':
    'Au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'ui.new_password.rule_other':
    'Au moins {{count}} caractères. Quelques mots faciles à retenir conviennent bien.',
  'ui.new_password.required': 'Saisissez un nouveau mot de passe',
  'ui.new_password.submit': 'Enregistrer le mot de passe',
  'ui.new_password.submitting': 'Enregistrement…',
  'ui.strength.short': 'Trop court',
  'ui.strength.weak': 'Facile à deviner',
  'ui.strength.good': 'Bon',
  'ui.strength.strong': 'Fort',
  'ui.dead_link.over_title': 'Ce lien ne fonctionne plus',
  'ui.dead_link.over': 'Il a expiré ou a déjà servi. Envoyez-vous en un nouveau.',
  'ui.dead_link.missing_title': 'Cette page a besoin du lien reçu par e-mail',
  'ui.dead_link.missing': 'Ouvrez à nouveau le lien dans l’e-mail, ou envoyez-vous en un nouveau.',
  'ui.dead_link.again': 'Envoyer un nouveau lien',
  'ui.change_password.purpose': 'Le mot de passe avec lequel vous vous connectez.',
  'ui.change_password.open': 'Changer de mot de passe',
  'ui.change_password.title': 'Changez votre mot de passe',
  'ui.change_password.intro': 'Vos autres sessions seront déconnectées. Celle-ci continue.',
  'ui.change_password.current': 'Mot de passe actuel',
  'ui.change_password.current_required': 'Saisissez votre mot de passe actuel',
  'ui.change_password.done':
    'Votre mot de passe est modifié. Vos autres sessions sont déconnectées, et celle-ci continue.',
} as const
