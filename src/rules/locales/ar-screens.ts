export { service } from './ar-service.ts'

/** The Arabic texts of the screens that the panel shows first. With those of answers. */
export const screens = {
  'ui.reason.password_changed': 'تم تغيير كلمة المرور. سجّل الدخول بها.',

  'ui.title.error': 'خطأ: {{title}}',

  'ui.error.heading': 'هناك مشكلة',

  'ui.network': 'تعذّر الوصول إلى الخادم. تحقق من اتصالك وحاول مرة أخرى.',

  'ui.retry': 'حاول مرة أخرى',

  'ui.part.failed': 'تعذّر تحميل هذا الجزء من الصفحة. حاول مرة أخرى.',

  'ui.outdated': 'هذه الصفحة قديمة. أعد تحميلها للحصول على الإصدار الجديد.',

  'ui.broken.title': 'حدث خطأ ما',
  'ui.broken.text': 'تعذّر عرض هذه الصفحة. أعد تحميلها وحاول مرة أخرى.',

  'ui.logout': 'تسجيل الخروج',

  'ui.login.title': 'تسجيل الدخول',
  'ui.login.email': 'عنوان البريد الإلكتروني',
  'ui.login.password': 'كلمة المرور',
  'ui.login.submit': 'تسجيل الدخول',
  'ui.login.submitting': 'جارٍ تسجيل الدخول…',
  'ui.login.help': 'هل تحتاج إلى مساعدة؟',
  'ui.login.forgot': 'هل نسيت كلمة المرور؟',
  'ui.login.email_required': 'أدخل عنوان بريدك الإلكتروني',
  'ui.login.password_required': 'أدخل كلمة المرور',
  'ui.login.no_cookies':
    'لم يحتفظ متصفحك بالجلسة. اسمح بملفات تعريف الارتباط لهذا الموقع وحاول مرة أخرى.',

  'ui.password.show': 'إظهار كلمة المرور',
  'ui.password.show_short': 'إظهار',
  'ui.password.shown': 'كلمة المرور ظاهرة',
  'ui.password.hide': 'إخفاء كلمة المرور',
  'ui.password.hide_short': 'إخفاء',
  'ui.password.hidden': 'كلمة المرور مخفية',

  'ui.throttle.over': 'يمكنك المحاولة الآن.',
  'ui.throttle.minutes_zero': 'محاولات كثيرة جدًا. حاول مرة أخرى بعد {{count}} دقيقة.',
  'ui.throttle.minutes_one': 'محاولات كثيرة جدًا. حاول مرة أخرى بعد دقيقة واحدة.',
  'ui.throttle.minutes_two': 'محاولات كثيرة جدًا. حاول مرة أخرى بعد دقيقتين.',
  'ui.throttle.minutes_few': 'محاولات كثيرة جدًا. حاول مرة أخرى بعد {{count}} دقائق.',
  'ui.throttle.minutes_many': 'محاولات كثيرة جدًا. حاول مرة أخرى بعد {{count}} دقيقة.',
  'ui.throttle.minutes_other': 'محاولات كثيرة جدًا. حاول مرة أخرى بعد {{count}} دقيقة.',

  'ui.too_many_requests.minutes_zero': 'طلبات كثيرة جدًا. انتظر {{count}} دقيقة وحاول مرة أخرى.',
  'ui.too_many_requests.minutes_one': 'طلبات كثيرة جدًا. انتظر دقيقة واحدة وحاول مرة أخرى.',
  'ui.too_many_requests.minutes_two': 'طلبات كثيرة جدًا. انتظر دقيقتين وحاول مرة أخرى.',
  'ui.too_many_requests.minutes_few': 'طلبات كثيرة جدًا. انتظر {{count}} دقائق وحاول مرة أخرى.',
  'ui.too_many_requests.minutes_many': 'طلبات كثيرة جدًا. انتظر {{count}} دقيقة وحاول مرة أخرى.',
  'ui.too_many_requests.minutes_other': 'طلبات كثيرة جدًا. انتظر {{count}} دقيقة وحاول مرة أخرى.',

  'ui.reason.session_ended': 'انتهت جلستك. سجّل الدخول من جديد للمتابعة.',
  'ui.reason.confirm_unanswered':
    'انقطع الاتصال أثناء تفعيل المصادقة الثنائية، وانتهت جلستك. ربما تكون مفعّلة الآن. سجّل الدخول من جديد وافتح صفحة الأمان لمعرفة ما يجب فعله.',
  'ui.reason.logged_out': 'لقد سجّلت الخروج.',
  'ui.reason.code_expired': 'انتهى الوقت المتاح لإدخال الرمز. سجّل الدخول من جديد.',
  'ui.reason.code_exhausted': 'رموز خاطئة كثيرة جدًا. سجّل الدخول من جديد.',
  'ui.reason.link_verified': 'تم تأكيد بريدك الإلكتروني. سجّل الدخول للمتابعة.',
  'ui.reason.link_expired': 'انتهت صلاحية هذا الرابط. سجّل الدخول وأرسل رابطًا جديدًا.',
  'ui.reason.link_invalid': 'هذا الرابط لا يعمل. سجّل الدخول وأرسل رابطًا جديدًا.',

  'ui.code.title': 'أدخل الرمز',
  'ui.code.intro': 'تسجيل الدخول باسم {{email}}.',
  'ui.code.minutes_zero': 'لديك {{count}} دقيقة.',
  'ui.code.minutes_one': 'لديك دقيقة واحدة.',
  'ui.code.minutes_two': 'لديك دقيقتين.',
  'ui.code.minutes_few': 'لديك {{count}} دقائق.',
  'ui.code.minutes_many': 'لديك {{count}} دقيقة.',
  'ui.code.minutes_other': 'لديك {{count}} دقيقة.',
  'ui.code.label': 'الرمز من تطبيق المصادقة',
  'ui.code.hint': 'لا بأس بالمسافات.',
  'ui.code.hint_digits_zero': 'لا بأس بالمسافات.',
  'ui.code.hint_digits_one': 'رقم واحد عادةً. لا بأس بالمسافات.',
  'ui.code.hint_digits_two': 'رقمان عادةً. لا بأس بالمسافات.',
  'ui.code.hint_digits_few': '{{count}} أرقام عادةً. لا بأس بالمسافات.',
  'ui.code.hint_digits_many': '{{count}} رقمًا عادةً. لا بأس بالمسافات.',
  'ui.code.hint_digits_other': '{{count}} رقم عادةً. لا بأس بالمسافات.',
  'ui.code.recovery_label': 'رمز الاسترداد',
  'ui.code.recovery_hint': 'أحد الرموز التي حفظتها عند التفعيل. يعمل كل رمز مرة واحدة.',
  'ui.code.use_recovery': 'استخدام رمز استرداد',
  'ui.code.use_app': 'استخدام تطبيق المصادقة',
  'ui.code.submit': 'متابعة',
  'ui.code.submitting': 'جارٍ التحقق…',
  'ui.code.back': 'العودة إلى تسجيل الدخول',
  'ui.code.required': 'أدخل الرمز',
  'ui.code.time_left': 'الوقت المتبقي',
  'ui.code.minute_left': 'بقيت دقيقة واحدة لإدخال الرمز.',
  'ui.code.seconds_left_zero': 'بقي من الوقت لإدخال الرمز: {{count}} ثانية.',
  'ui.code.seconds_left_one': 'بقي من الوقت لإدخال الرمز: ثانية واحدة.',
  'ui.code.seconds_left_two': 'بقي من الوقت لإدخال الرمز: ثانيتين.',
  'ui.code.seconds_left_few': 'بقي من الوقت لإدخال الرمز: {{count}} ثوانٍ.',
  'ui.code.seconds_left_many': 'بقي من الوقت لإدخال الرمز: {{count}} ثانية.',
  'ui.code.seconds_left_other': 'بقي من الوقت لإدخال الرمز: {{count}} ثانية.',
  'ui.code.lost': 'هل فقدت جهازك ورموز الاسترداد؟ اطلب المساعدة من أحد المسؤولين.',

  'ui.verify.title': 'أكّد بريدك الإلكتروني',
  'ui.verify.intro': 'أكّد أن {{email}} يخصك. بعد ذلك يمكنك استخدام اللوحة.',
  'ui.verify.intro_nameless': 'أكّد أن عنوان بريدك الإلكتروني يخصك. بعد ذلك يمكنك استخدام اللوحة.',
  'ui.verify.send': 'إرسال رسالة التأكيد',
  'ui.verify.again': 'إرسال مرة أخرى',
  'ui.verify.sending': 'جارٍ الإرسال…',
  'ui.verify.sent': 'تم إرسال الرسالة. ابحث في مجلد الرسائل غير المرغوب فيها أيضًا.',
  'ui.verify.sent_minutes_zero':
    'تم إرسال الرسالة. يعمل الرابط لمدة {{count}} دقيقة. ابحث في مجلد الرسائل غير المرغوب فيها أيضًا.',
  'ui.verify.sent_minutes_one':
    'تم إرسال الرسالة. يعمل الرابط لمدة دقيقة واحدة. ابحث في مجلد الرسائل غير المرغوب فيها أيضًا.',
  'ui.verify.sent_minutes_two':
    'تم إرسال الرسالة. يعمل الرابط لمدة دقيقتين. ابحث في مجلد الرسائل غير المرغوب فيها أيضًا.',
  'ui.verify.sent_minutes_few':
    'تم إرسال الرسالة. يعمل الرابط لمدة {{count}} دقائق. ابحث في مجلد الرسائل غير المرغوب فيها أيضًا.',
  'ui.verify.sent_minutes_many':
    'تم إرسال الرسالة. يعمل الرابط لمدة {{count}} دقيقة. ابحث في مجلد الرسائل غير المرغوب فيها أيضًا.',
  'ui.verify.sent_minutes_other':
    'تم إرسال الرسالة. يعمل الرابط لمدة {{count}} دقيقة. ابحث في مجلد الرسائل غير المرغوب فيها أيضًا.',
  'ui.verify.wait_zero': 'يمكنك إرسال رسالة أخرى بعد {{count}} ثانية.',
  'ui.verify.wait_one': 'يمكنك إرسال رسالة أخرى بعد ثانية واحدة.',
  'ui.verify.wait_two': 'يمكنك إرسال رسالة أخرى بعد ثانيتين.',
  'ui.verify.wait_few': 'يمكنك إرسال رسالة أخرى بعد {{count}} ثوانٍ.',
  'ui.verify.wait_many': 'يمكنك إرسال رسالة أخرى بعد {{count}} ثانية.',
  'ui.verify.wait_other': 'يمكنك إرسال رسالة أخرى بعد {{count}} ثانية.',
  'ui.verify.elsewhere': 'هل فتحت الرابط في علامة تبويب أخرى؟ ستتابع هذه الصفحة من تلقاء نفسها.',
  'ui.verify.continue': 'لقد أكّدت، متابعة',
  'ui.verify.not_yet': 'لا نراه بعد. افتح أولًا الرابط الموجود في الرسالة.',
  'ui.verify.expired': 'انتهت صلاحية هذا الرابط. أرسل رابطًا جديدًا.',
  'ui.verify.invalid': 'هذا الرابط لا يعمل. أرسل رابطًا جديدًا.',
  'ui.verify.done': 'تم تأكيد البريد الإلكتروني.',

  'ui.security.title': 'الأمان',

  'ui.tf.name': 'المصادقة الثنائية',
  'ui.tf.due_zero': 'بقي لديك أقل من يوم لإعدادها. بعد ذلك لا يمكنك استخدام اللوحة بدونها.',
  'ui.tf.due_one': 'بقي لديك يوم واحد لإعدادها. بعد ذلك لا يمكنك استخدام اللوحة بدونها.',
  'ui.tf.due_two': 'بقي لديك يومان لإعدادها. بعد ذلك لا يمكنك استخدام اللوحة بدونها.',
  'ui.tf.due_few': 'بقيت لديك {{count}} أيام لإعدادها. بعد ذلك لا يمكنك استخدام اللوحة بدونها.',
  'ui.tf.due_many': 'بقي لديك {{count}} يومًا لإعدادها. بعد ذلك لا يمكنك استخدام اللوحة بدونها.',
  'ui.tf.due_other': 'بقي لديك {{count}} يوم لإعدادها. بعد ذلك لا يمكنك استخدام اللوحة بدونها.',

  'ui.bell.name_zero': 'الإشعارات',
  'ui.bell.name_one': 'الإشعارات، واحد غير مقروء',
  'ui.bell.name_two': 'الإشعارات، اثنان غير مقروءين',
  'ui.bell.name_few': 'الإشعارات، {{count}} غير مقروءة',
  'ui.bell.name_many': 'الإشعارات، {{count}} غير مقروء',
  'ui.bell.name_other': 'الإشعارات، {{count}} غير مقروء',
  'ui.bell.title': 'الإشعارات',
  'ui.bell.close': 'إغلاق الإشعارات',
  'ui.bell.mark_all': 'تعليم الكل كمقروء',
  'ui.bell.mark': 'تعليم كمقروء: {{title}}',
  'ui.bell.mark_short': 'وضع علامة مقروء',
  'ui.bell.unread': 'غير مقروء',
  'ui.bell.new_zero': 'لا إشعارات جديدة',
  'ui.bell.new_one': 'إشعار جديد واحد',
  'ui.bell.new_two': 'إشعاران جديدان',
  'ui.bell.new_few': '{{count}} إشعارات جديدة',
  'ui.bell.new_many': '{{count}} إشعارًا جديدًا',
  'ui.bell.new_other': '{{count}} إشعار جديد',
  'ui.bell.empty_title': 'لا جديد لديك',
  'ui.bell.empty_body': 'ستظهر الإشعارات الجديدة هنا.',
  'ui.bell.error': 'تعذّر تحميل الإشعارات.',
  'ui.bell.loading': 'جارٍ تحميل الإشعارات…',
  'ui.bell.all_read': 'تم تعليم كل الإشعارات كمقروءة.',
  'ui.bell.one_read_zero': 'تم التعليم كمقروء. لا إشعارات غير مقروءة.',
  'ui.bell.one_read_one': 'تم التعليم كمقروء. بقي واحد غير مقروء.',
  'ui.bell.one_read_two': 'تم التعليم كمقروء. بقي اثنان غير مقروءين.',
  'ui.bell.one_read_few': 'تم التعليم كمقروء. بقيت {{count}} غير مقروءة.',
  'ui.bell.one_read_many': 'تم التعليم كمقروء. بقي {{count}} غير مقروء.',
  'ui.bell.one_read_other': 'تم التعليم كمقروء. بقي {{count}} غير مقروء.',
  'ui.bell.external': '(يُفتح في علامة تبويب جديدة)',
  'ui.bell.limit': 'أحدث {{limit}} إشعارًا',

  'ui.session.title': 'سجّل الدخول من جديد',
  'ui.session.body': 'انتهت جلستك. سجّل الدخول لتتابع من حيث توقفت.',
  'ui.session.leave': 'الذهاب إلى صفحة تسجيل الدخول',

  'ui.nav': 'اللوحة',

  'ui.skip': 'الانتقال إلى المحتوى',

  'ui.nav.menu': 'الصفحات',

  'ui.user.menu': 'قائمة الحساب: {{name}}',

  'ui.language': 'اللغة',

  'ui.theme': 'المظهر',
  'ui.theme.system': 'الجهاز',
  'ui.theme.light': 'فاتح',
  'ui.theme.dark': 'داكن',

  'ui.home.title': 'مرحبًا، {{name}}',
  'ui.home.title_nameless': 'مرحبًا',
  'ui.home.intro': 'لقد سجّلت الدخول.',
  'ui.home.name': 'الاسم',
  'ui.home.email': 'عنوان البريد الإلكتروني',
  'ui.home.protect_title': 'الخطوة التالية: احمِ حسابك',
  'ui.home.protect': 'مع المصادقة الثنائية لا تكفي كلمة مرور مسروقة لتسجيل الدخول.',
  'ui.home.protect_link': 'إعداد المصادقة الثنائية',

  'ui.not_found.title': 'الصفحة غير موجودة',
  'ui.not_found.text': 'لا يوجد شيء في هذا العنوان. تحقق منه أو اذهب إلى اللوحة.',
  'ui.not_found.link': 'الذهاب إلى اللوحة',

  'ui.unreachable.title': 'لا يمكن فتح اللوحة',
}
