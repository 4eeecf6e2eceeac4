package com.tidewater.quayside.mapper;

import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.apache.ibatis.annotations.Param;

public interface ServiceJobMapper {

    @Select("SELECT kind, calls, total_time FROM service_job ORDER BY total_time DESC, job_id")
    List<Map<String, Object>> byTime();

    @Select("SELECT adsrc, count(*) AS customers FROM customer GROUP BY adsrc ORDER BY adsrc")
    List<Map<String, Object>> customersPerAdvertisement();

    @Select("SELECT message, oid FROM import_error ORDER BY oid")
    List<Map<String, Object>> importErrors();

    @Update("UPDATE service_job SET calls = calls + 1, total_time = total_time + #{hours} WHERE job_id = #{id}")
    int book(@Param("id") int id, @Param("hours") double hours);
}
