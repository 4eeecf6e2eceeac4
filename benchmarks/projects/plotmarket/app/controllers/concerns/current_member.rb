# Tells the audit trigger who is signed in.
module CurrentMember
  extend ActiveSupport::Concern

  included do
    around_action :with_member_setting
  end

  private

  def with_member_setting
    connection = ActiveRecord::Base.connection
    connection.execute("SELECT set_config('plotmarket.member_id', #{connection.quote(current_member&.id.to_s)}, false)")
    yield
  ensure
    connection.execute("SET plotmarket.member_id = ''")
  end
end
